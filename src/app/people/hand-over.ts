import { moveRef, readRef } from '../../adapters/git/landing/refs.ts';
import { getCommitFacts, readObjects } from '../../adapters/git/objects/objects.ts';
import { expectOk, type GitContext, openContext, runRepo } from '../../adapters/git/repo/context.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { openWorkspace } from '../../adapters/git/workspace.ts';
import { withBacklog } from '../../backlog/codec.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import type { HarnessEvent } from '../../core/events/event.ts';
import {
  getAttemptRef,
  getCommitMessage,
  getHandoffBranch,
  HANDOFF_PREFIX,
} from '../../core/proof/commit-message.ts';
import type { State } from '../../core/state/state.ts';
import { getTotal } from '../../core/state/task-moves.ts';
import { getHandedOffReason, type TaskState } from '../../core/state/task-state.ts';
import { readLines } from '../../session/read-changes.ts';
import { readBacklogAtTip, syncBacklog } from '../project/backlog-at-tip.ts';
import { getKnownTask } from '../project/check-task.ts';
import type { Project } from '../project/open-project.ts';
import { findLiveWorkers } from './control.ts';
import { HANDOFF_REF } from './handed-over.ts';
import { readPersonName, recordDecision, refuseActive } from './person.ts';

/** Which task a person takes or gives back. */
export interface HandOverInput {
  readonly task?: string;
  readonly by?: string;
}

export interface HandedOff {
  /** Null: everything waits. */
  readonly task: string | null;
  readonly branch: string | null;
  readonly paused: boolean;
  /** Tasks that are worked on at this moment. */
  readonly active: readonly string[];
  /** What was done of it so far is on the branch. */
  readonly hasWork: boolean;
  readonly landed: number;
  readonly total: number;
  readonly next: string;
}

/** Makes everything wait, or makes one task the person's, with what has been done of it on a branch. */
export async function handOff(project: Project, { task: id, by }: HandOverInput): Promise<HandedOff> {
  const name = await readPersonName(project.root, by);
  const store = await project.store();
  const found = await readBacklogAtTip(project);
  await syncBacklog(project, store, found);
  const { state } = await recordDecision(store, now => getEvents(now, id, name));
  const task = id === undefined ? null : getKnownTask(state, id, '<task>');
  if (task === null) await keepStart(project, found.tip?.commit ?? found.heads.base);
  return {
    task: task?.def.id ?? null,
    branch: task ? await makeBranch(project, task, found.tip?.commit ?? found.heads.base) : null,
    paused: task === null,
    active: [...state.active.keys()],
    hasWork: Boolean(task?.history.at(-1)?.wip),
    landed: state.counts.landed,
    total: getTotal(state),
    next: task ? `harness takeback ${getShellQuoted(task.def.id)}` : 'harness takeback',
  };
}

/** Said again, it began when it was said first. */
async function keepStart(project: Project, to: string): Promise<void> {
  const ctx = openContext(project.repo, runGit);
  if ((await readRef(ctx, HANDOFF_REF)) === null)
    await moveRef(ctx, { ref: HANDOFF_REF, from: null, to, reason: 'harness handoff' });
}

function getEvents(state: State, id: string | undefined, by: string): readonly HarnessEvent[] {
  if (id === undefined) {
    if (state.people.control.mode === 'paused') return [];
    return [{ type: 'control.changed', mode: 'paused', by, reason: 'handoff' }];
  }
  const task = getKnownTask(state, id, '<task>');
  refuseActive(task, `harness handoff ${getShellQuoted(id)}`);
  if (task.status === 'landed') {
    const fix = 'harness status shows what is open';
    throw new HarnessError('usage', `task ${id} has landed: there is nothing to do by hand`, {
      field: '<task>',
      fix,
    });
  }
  const reason = getHandedOffReason(id, by);
  return task.blockedReason === reason ? [] : [{ type: 'task.blocked', task: id, reason }];
}

/** On the work of the last attempt, or else on the tip. A branch that is there already is the person's. */
async function makeBranch(project: Project, task: TaskState, tip: string): Promise<string> {
  const ctx = openContext(project.repo, runGit);
  const branch = getHandoffBranch(task.def.id);
  const ref = `refs/heads/${branch}`;
  if ((await readRef(ctx, ref)) !== null) return branch;
  const to = task.history.at(-1)?.wip ?? task.held?.candidate.commit ?? tip;
  const reason = `harness handoff ${getShellQuoted(task.def.id)}`;
  if ((await moveRef(ctx, { ref, from: null, to, reason })) === 'moved') return branch;
  throw new HarnessError('repo', `${branch} was just created by another process`, { fix: 'try again' });
}

export interface Submitted {
  readonly task: string;
  readonly by: string;
  readonly recorded: true;
  /** A run is under way and judges it; otherwise it waits for the next one. */
  readonly isRunning: boolean;
  readonly next: string;
}

/** Records what a person committed, to be judged like anybody's work; it lands by the same proof. */
export async function submitWork(project: Project, input: HandOverInput): Promise<Submitted> {
  const by = await readPersonName(project.root, input.by);
  const ctx = openContext(project.repo, runGit);
  const task = input.task ?? (await findOnly(ctx));
  const store = await project.store();
  const found = await readBacklogAtTip(project);
  await syncBacklog(project, store, found);
  const work = await readWork(ctx, project, task, found.tip?.commit ?? found.heads.base);
  for (;;) {
    const { state } = await recordDecision(store, () => []);
    const known = getKnownTask(state, task, '<task>');
    checkOpen(known);
    const event = await makeCandidate(project, known, work, by);
    const { recorded } = await recordDecision(store, now =>
      now.tasks.get(task)?.started === known.started ? [event, ...getResumed(now.people.control, by)] : [],
    );
    if (!recorded) continue;
    const isRunning = (await findLiveWorkers(state)).length > 0;
    const next = isRunning
      ? 'harness status   (the active run judges it)'
      : `harness run --task ${getShellQuoted(task)}`;
    return { task, by, recorded, isRunning, next };
  }
}

function checkOpen(task: TaskState): void {
  const { id } = task.def;
  refuseActive(task, `harness takeback ${getShellQuoted(id)}`);
  if (task.status !== 'landed') return;
  const fix = `harness verify ${getShellQuoted(id)} proves it again`;
  throw new HarnessError('usage', `task ${id} has landed already`, { field: '<task>', fix });
}

/** A pause that was only there for the person's sake ends with it. */
export function getResumed(
  { mode, reason }: { readonly mode: string; readonly reason: string },
  by: string,
): readonly HarnessEvent[] {
  if (mode !== 'paused' || reason !== 'handoff') return [];
  return [{ type: 'control.changed', mode: 'running', by, reason: 'takeback' }];
}

async function findOnly(ctx: GitContext): Promise<string> {
  const { stdout } = await runRepo(ctx, [
    'for-each-ref',
    '--format=%(refname:lstrip=2)',
    `refs/heads/${HANDOFF_PREFIX}`,
  ]);
  const names = stdout.toString('utf8').split('\n').filter(Boolean);
  const [only] = names;
  if (only !== undefined && names.length === 1) return only.slice(HANDOFF_PREFIX.length);
  const message = names.length === 0 ? 'no task is handed off' : 'more than one task is handed off';
  const fix = names.length === 0 ? 'harness handoff <task>' : 'name the task: harness takeback <task>';
  throw new HarnessError('usage', message, { field: '<task>', fix });
}

interface Work {
  readonly tree: string;
  readonly base: string;
  readonly baseTree: string;
}

/** What is on the person's branch, and the commit of the tip's history that it stands on. */
async function readWork(ctx: GitContext, project: Project, task: string, tip: string): Promise<Work> {
  const branch = getHandoffBranch(task);
  const head = await readRef(ctx, `refs/heads/${branch}`);
  if (head === null) {
    const fix = `harness handoff ${getShellQuoted(task)} makes it`;
    throw new HarnessError('usage', `there is no branch ${branch}`, { field: '<task>', fix });
  }
  const base = expectOk(ctx, 'finding where the branch begins', await runRepo(ctx, ['merge-base', head, tip]))
    .toString('utf8')
    .trim();
  const [own, from] = await readObjects(ctx, [head, base]);
  const tree = own && getCommitFacts(own).tree;
  const baseTree = from && getCommitFacts(from).tree;
  if (!tree || !baseTree || tree === baseTree) {
    const fix = `git switch ${branch}, commit your work there, then harness takeback ${getShellQuoted(task)}`;
    throw new HarnessError('usage', `${branch} has no commit that ${project.policy.baseBranch} lacks`, {
      field: '<task>',
      fix,
    });
  }
  return { tree, base, baseTree };
}

/** One commit on its base, marked as done, as a snapshot of an agent's work would be. */
async function makeCandidate(
  project: Project,
  task: TaskState,
  work: Work,
  by: string,
): Promise<HarnessEvent> {
  const { policy, repo, backlog } = project;
  const plain = openWorkspace({ repo, land: policy.land, runGit });
  const workspace = withBacklog(plain, policy);
  const { def } = task;
  const { base, baseTree } = work;
  const path = policy.backlogPath;
  const text = backlog.setPasses((await workspace.readFile(base, path)) ?? '', def.id, true);
  const tree = await workspace.compose({ tree: work.tree, put: [{ path, text }] });
  const attempt = task.started + 1;
  const message = getCommitMessage(def, attempt, { by });
  const commit = await workspace.commit({ tree, parent: base, message, atMs: Date.now() });
  await workspace.keep(getAttemptRef(def.id, attempt), commit);
  const lines = await readLines({ policy, ports: { workspace } }, base, commit);
  const candidate = { commit, tree, backlogProblems: [], claims: [def.id], lines };
  return { type: 'work.handed-in', task: def.id, by, base, baseTree, candidate };
}
