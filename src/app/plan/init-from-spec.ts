import { normalize, relative } from 'node:path';
import { getBaseEnv } from '../../adapters/git/repo/git-env.ts';
import { findRoot } from '../../adapters/git/repo/git-files.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { findConfigFile } from '../../config/find-config.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { MANIFEST_FILES } from '../../core/code/manifest.ts';
import { getRelativeProgram } from '../../core/shell/command-line.ts';
import { getCommitLine } from '../../core/shell/commit-line.ts';
import type { Where } from '../project/open-checkout.ts';
import { getWatch } from '../project/watch.ts';
import { readCommittedBacklog } from './accept-plan.ts';
import { openPlanning, type Planning } from './open-planning.ts';
import { type PlanInput, readSpec } from './plan-work.ts';
import { proposePlan } from './propose-plan.ts';
import { refuseCommandless } from './set-up.ts';
import { type PlanResult, settlePlan } from './settle-plan.ts';

export interface InitFromSpecInput extends PlanInput {
  /** The document that says what is to be built. */
  readonly spec: string;
  /** What starts the agent, where that has to be said. */
  readonly command?: string;
}

/** From a document to a project with a backlog, as one commit. */
export async function initFromSpec(where: Where, input: InitFromSpecInput): Promise<PlanResult> {
  const spec = readSpec(input.spec);
  if (findConfigFile(findRoot(where.cwd) ?? where.cwd) === null) refuseCommandless(input);
  if (findRoot(where.cwd) === null) await createRepo(where.cwd, input.dryRun ?? false);
  const { agent = null, command = null } = input;
  const planning = await openPlanning(where, agent, command);
  await refuseUntidy(planning, input.spec);
  const { text, tasks } = await readCommittedBacklog(planning);
  refuseRunning(planning, text, tasks.length);
  const wish = { kind: 'spec', text: spec } as const;
  const request = { kind: 'init', wish, replaces: null, agent, command, tasks } as const;
  return settlePlan(planning, await proposePlan(planning, request, getWatch(input)), input);
}

async function createRepo(cwd: string, dryRun: boolean): Promise<void> {
  if (dryRun) {
    throw new HarnessError('repo', `${cwd} is not a git repository`, {
      file: cwd,
      fix: 'git init, or leave --dry-run out: then it is made one',
    });
  }
  const { code, stderr } = await runGit(['init', '-q'], { cwd, env: getBaseEnv() });
  if (code !== 0)
    throw new HarnessError('repo', `git init failed in ${cwd}: ${stderr.trim()}`, { file: cwd });
}

/** The commit must hold what was planned and nothing of the user's, and must not be in the way of theirs. */
async function refuseUntidy({ project, isUnborn, reader }: Planning, spec: string): Promise<void> {
  const { root } = project;
  const { stdout } = await runGit(['status', '--porcelain', '-z', '--untracked-files=no'], {
    cwd: root,
    env: getBaseEnv(),
  });
  const changed = stdout
    .toString()
    .split('\0')
    .filter(Boolean)
    .map(entry => entry.slice(3));
  if (changed.length > 0) {
    throw new HarnessError('repo', `there are uncommitted changes: ${changed.slice(0, 5).join(', ')}`, {
      file: root,
      fix: 'commit or stash them (git stash), then run it again',
    });
  }
  if (!isUnborn) return;
  const own = relative(root, spec);
  const script = project.config.agent.script ?? 'harness-agent.yaml';
  const program = getRelativeProgram(project.config.agent.command ?? '');
  const expected = [...MANIFEST_FILES, '.gitignore', own, script, ...(program ? [normalize(program)] : [])];
  const others = (await reader.listFiles()).filter(file => !expected.includes(file));
  if (others.length === 0) return;
  throw new HarnessError(
    'repo',
    `nothing is committed yet, but there are files: ${others.slice(0, 5).join(', ')}`,
    {
      file: root,
      fix: 'git add -A && git commit -m "Start", then run it again',
    },
  );
}

function refuseRunning({ project, hasConfig, isUnborn }: Planning, text: string | null, count: number): void {
  if (count > 0) {
    throw new HarnessError('usage', `${project.policy.backlogPath} has ${count} tasks already`, {
      file: project.policy.backlogPath,
      fix: 'harness plan --spec FILE adds to them',
    });
  }
  if (isUnborn || !hasConfig || text !== null) return;
  throw new HarnessError(
    'repo',
    `${project.configFile} is there, but not ${project.policy.backlogPath} in the last commit`,
    {
      file: project.policy.backlogPath,
      fix: `${getCommitLine([project.configFile, project.policy.backlogPath], 'Set up Harness')}, then run it again`,
    },
  );
}
