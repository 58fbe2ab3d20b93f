import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFirstCommit, PLAN_TRAILER } from '../../adapters/git/landing/first-commit.ts';
import { openWorkspace } from '../../adapters/git/workspace.ts';
import { getDialect, isPlanFolder, withBacklog } from '../../backlog/codec.ts';
import { applyPlan, writePlanFiles } from '../../backlog/edit/apply-plan.ts';
import { readBundle, writeBundle } from '../../backlog/folder-workspace.ts';
import { FEATURES_JSON } from '../../backlog/read/features-json.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { getShortRef } from '../../core/base/short-ref.ts';
import { getPlanProblems, type Plan } from '../../core/decide/plan.ts';
import { getCommitLine } from '../../core/shell/commit-line.ts';
import { getStub, type PlanFile } from '../../planning/scaffold.ts';
import { getSetup } from '../../planning/setup-files.ts';
import type { BacklogTask, Tip } from '../../ports/index.ts';
import { createVet } from '../project/landed/vet-landed.ts';
import type { Planning } from './open-planning.ts';
import { getKindProblems, getPlanPath, getPlanRules, type SavedPlan } from './saved-plan.ts';

export interface Accepted {
  readonly commit: string;
  readonly branch: string;
  readonly files: readonly string[];
  readonly note: string | null;
}

/** The backlog that a plan would be added to, and the commit that says so; both null where there is none. */
export async function readCommittedBacklog(planning: Planning): Promise<{
  readonly tip: Tip | null;
  readonly text: string | null;
  readonly tasks: readonly BacklogTask[];
}> {
  const { project, isUnborn } = planning;
  if (isUnborn) return { tip: null, text: null, tasks: [] };
  const workspace = openPlanWorkspace(planning);
  const tip = await workspace.tip();
  const text = await workspace.readFile(tip.commit, project.policy.backlogPath);
  return { tip, text, tasks: text === null ? [] : project.backlog.parse(text).tasks };
}

/** Whether its tasks are in the backlog already: taken by somebody who was cut off before saying so. */
export async function isTakenAlready(planning: Planning, { plan }: SavedPlan): Promise<boolean> {
  const { tasks } = await readCommittedBacklog(planning);
  const titles = new Map(tasks.map(({ def }) => [def.id, def.title]));
  return plan.tasks.every(({ id, title }) => titles.get(id) === title.trim());
}

/** Every file that taking the plan would write, and on what; it is checked again, since people may have edited it. */
export async function getPlanFiles(
  planning: Planning,
  saved: SavedPlan,
  nowMs: number,
): Promise<{ readonly files: readonly PlanFile[]; readonly tip: Tip | null; readonly isTestable: boolean }> {
  const { plan, kind } = saved;
  const { tip, text, tasks } = await readCommittedBacklog(planning);
  refuseBad(planning, saved, tasks);
  const { project, reader } = planning;
  const { policy, config } = project;
  const setup =
    kind === 'init'
      ? await getSetup({
          plan,
          root: project.root,
          repo: reader,
          hasConfig: planning.hasConfig,
          isUnborn: planning.isUnborn,
          provider: saved.agent ?? policy.models.coding.provider,
          command: saved.command ?? null,
          paths: config.paths,
          atMs: nowMs,
        })
      : { files: [], detected: planning.detected };
  const runner = planning.hasConfig ? policy.testing.runner : setup.detected.runner;
  // Where tests have an author of their own, a file that is missing is what calls for one.
  const isAuthored = policy.testsBy === 'separate-author';
  const stubs = isAuthored ? [] : await getStubs(planning, plan, runner, setup.files);
  const found = text ?? setup.files.find(({ path }) => path === policy.backlogPath)?.text;
  const added = getAdded(planning, saved, { text: found ?? null, tasks });
  const others = setup.files.filter(({ path }) => path !== policy.backlogPath);
  const { testing } = policy;
  const command = planning.hasConfig ? (testing.full ?? testing.feature) : setup.detected.full;
  const files = [...others, ...added, ...stubs];
  return { files, tip, isTestable: command !== null };
}

/** The backlog with the plan in it: one file made anew, or new files in a folder of plans. */
function getAdded(
  { project }: Planning,
  { plan, replaces }: SavedPlan,
  { text, tasks }: { readonly text: string | null; readonly tasks: readonly BacklogTask[] },
): readonly PlanFile[] {
  const { backlogPath } = project.policy;
  if (isPlanFolder(backlogPath)) {
    const files = writePlanFiles(plan);
    project.backlog.parse(writeBundle({ ...readBundle(text ?? ''), ...files }));
    return Object.entries(files).map(([name, written]) => ({
      path: `${backlogPath}/${name}`,
      text: written,
    }));
  }
  if (text === null) throw getNoBacklogError(backlogPath);
  const replaced = tasks.find(({ def }) => def.id === replaces)?.def;
  const backlog = applyPlan(text, plan, {
    fileName: backlogPath,
    dialect: getDialect(backlogPath) ?? FEATURES_JSON,
    ...(replaced ? { replaces: replaced } : {}),
  });
  project.backlog.parse(backlog);
  return [{ path: backlogPath, text: backlog }];
}

const MAX_RACES = 5;

/** Puts the plan into the repository as one commit: all of it, or none. Made anew when something lands meanwhile. */
export async function acceptPlan(planning: Planning, saved: SavedPlan, nowMs: number): Promise<Accepted> {
  const { repo } = planning.project;
  const message = getMessage(saved);
  for (let tries = 0; tries < MAX_RACES; tries++) {
    const { files, tip } = await getPlanFiles(planning, saved, nowMs);
    const paths = files.map(({ path }) => path);
    if (tip === null) {
      const commit = await makeFirstCommit(repo, { files, message, atMs: nowMs });
      return { commit, branch: repo.baseBranch, files: paths, note: null };
    }
    const workspace = openPlanWorkspace(planning);
    const tree = await workspace.compose({ tree: tip.tree, put: files });
    const commit = await workspace.commit({ tree, parent: tip.commit, message, atMs: nowMs });
    const landed = await workspace.land({ commit, expected: tip.commit });
    if (landed.ok) return { commit, branch: getShortRef(landed.ref), files: paths, note: landed.note };
  }
  throw new HarnessError('locked', 'other work keeps landing: the plan could not be put on top of it', {
    fix: 'run harness plan --accept again',
  });
}

function openPlanWorkspace({ project }: Planning) {
  const { repo, policy } = project;
  return withBacklog(openWorkspace({ repo, land: policy.land, vet: createVet(project) }), policy);
}

function refuseBad(planning: Planning, saved: SavedPlan, tasks: readonly BacklogTask[]): void {
  const { plan, replaces } = saved;
  const file = getPlanPath(planning.project.stateDir);
  const gone = replaces !== null && !tasks.some(({ def, passes }) => def.id === replaces && !passes);
  const problems = [
    ...getPlanProblems(plan, getPlanRules(planning.project, tasks, replaces)),
    ...getKindProblems(plan, saved),
    ...(gone ? [`task ${replaces}, which it should replace, is gone or done`] : []),
  ];
  if (problems.length === 0) return;
  throw new HarnessError(
    'usage',
    `the plan cannot be accepted:\n${problems.map(one => `  - ${one}`).join('\n')}`,
    {
      file,
      fix: `edit ${file}, or plan again`,
    },
  );
}

/** A failing test for each task whose test file is not there yet. */
async function getStubs(
  { project, reader }: Planning,
  plan: Plan,
  runner: Parameters<typeof getStub>[1],
  setup: readonly PlanFile[],
): Promise<readonly PlanFile[]> {
  const manifest =
    setup.find(({ path }) => path === 'package.json')?.text ?? (await reader.readFile('package.json')) ?? '';
  const isModule = /"type"\s*:\s*"module"/.test(manifest);
  return plan.tasks.flatMap(task => {
    const text = existsSync(join(project.root, task.test_file)) ? null : getStub(task, runner, isModule);
    return text === null ? [] : [{ path: task.test_file, text }];
  });
}

function getMessage({ plan, kind, replaces }: SavedPlan): string {
  const count = plan.tasks.length === 1 ? '1 task' : `${plan.tasks.length} tasks`;
  const subject = kind === 'split' ? `Split task ${replaces} into ${plan.tasks.length}` : `Plan ${count}`;
  return `${subject}\n\n${plan.summary.trim()}\n\n${PLAN_TRAILER} ${kind}\n`;
}

function getNoBacklogError(path: string): HarnessError {
  return new HarnessError('backlog', `${path} is not committed`, {
    file: path,
    fix: `${getCommitLine([path], 'Add the backlog')}, or begin with harness init --spec`,
  });
}
