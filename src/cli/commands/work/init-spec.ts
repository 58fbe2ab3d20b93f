import { readFileSync } from 'node:fs';
import { normalize, relative, resolve } from 'node:path';
import { getBaseEnv } from '../../../adapters/git/repo/git-env.ts';
import { findRoot } from '../../../adapters/git/repo/git-files.ts';
import { runGit } from '../../../adapters/git/repo/run-git.ts';
import { readCommittedBacklog } from '../../../app/plan/accept-plan.ts';
import { openPlanning, type Planning } from '../../../app/plan/open-planning.ts';
import { proposePlan } from '../../../app/plan/propose-plan.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { refuseCommandless } from '../../../app/run/refuse-commandless.ts';
import type { ScriptKind } from '../../../config/agent-script.ts';
import { findConfigFile } from '../../../config/find-config.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import { MANIFEST_FILES } from '../../../core/code/manifest.ts';
import { getRelativeProgram } from '../../../core/shell/command-line.ts';
import { withReporter } from '../../render/watch.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { settlePlan } from './settle-plan.ts';

/** `harness init --spec`: from a document to a project with a backlog, as one commit. */
export async function initFromSpec(io: Io, options: InitOptions): Promise<void> {
  const spec = readSpec(io, options.spec ?? '');
  const where = getWhere(io, options.repo);
  if (findConfigFile(findRoot(where.cwd) ?? where.cwd) === null) refuseCommandless(options);
  if (findRoot(where.cwd) === null) await createRepo(where.cwd, options.dryRun ?? false);
  const agent = options.agent ?? null;
  const command = options.command ?? null;
  const planning = await openPlanning(where, agent, command);
  await refuseUntidy(planning, resolve(io.cwd, options.spec ?? ''));
  const { text, tasks } = await readCommittedBacklog(planning);
  refuseRunning(planning, text, tasks.length);
  const json = options.json ?? false;
  const wish = { kind: 'spec', text: spec } as const;
  const request = { kind: 'init', wish, replaces: null, agent, command, tasks } as const;
  const saved = await withReporter(io, json, watched => proposePlan(planning, request, watched));
  await settlePlan(io, planning, saved, { json, yes: options.yes ?? false, dryRun: options.dryRun ?? false });
}

const MAX_SPEC_CHARS = 400_000;

/** The document, or what is wrong with it. */
export function readSpec(io: Io, path: string): string {
  const file = resolve(io.cwd, path);
  const refuse = (why: string, fix: string): HarnessError =>
    new HarnessError('usage', `--spec: ${why}`, { file, field: '--spec', fix });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw refuse(
      `${file} cannot be read: ${(error as Error).message}`,
      'name a text file that says what is to be built',
    );
  }
  if (text.trim() === '') throw refuse(`${file} is empty`, 'write down what is to be built');
  if (text.length > MAX_SPEC_CHARS)
    throw refuse(
      `${file} has ${text.length} letters, more than ${MAX_SPEC_CHARS}`,
      'plan one part at a time',
    );
  return text;
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
      fix: `git add ${project.configFile} ${project.policy.backlogPath} && git commit -m "Set up Harness", then run it again`,
    },
  );
}

export interface InitOptions extends CommonOptions {
  readonly dryRun?: boolean;
  readonly spec?: string;
  readonly yes?: boolean;
  readonly agent?: string;
  readonly command?: string;
  /** False with `--no-run`: what was found out is written untried. */
  readonly run?: boolean;
  readonly script?: ScriptKind;
}
