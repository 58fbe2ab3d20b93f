import { HarnessError } from '../../core/base/failure.ts';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import type { HarnessEvent } from '../../core/events/event.ts';
import { getWaitingFor } from '../../core/people/project-question.ts';
import type { State } from '../../core/state/state.ts';
import { getSkippedReason, type TaskState } from '../../core/state/task-state.ts';
import { readBacklogAtTip, syncBacklog } from '../project/backlog-at-tip.ts';
import type { Project } from '../project/open-project.ts';
import { readPersonName, recordDecision, recordTaskDecision, refuseActive } from './person.ts';

/** What a person says about one task. */
export interface TaskDecision {
  readonly task: string;
  readonly reason?: string;
  /** Who says so; as git knows them when not said. */
  readonly by?: string;
}

export interface Skipped {
  readonly task: string;
  readonly recorded: boolean;
  /** What builds on it, and cannot begin. */
  readonly waiting: readonly string[];
  readonly next: string;
}

/** Leaves a task out, and with it what builds on it, until somebody resets it. */
export async function skipTask(project: Project, decision: TaskDecision): Promise<Skipped> {
  const { task: id } = decision;
  const reason = getReason(decision, {
    missing: '--reason is required',
    example: `harness skip ${getShellQuoted(id)} --reason "waits for the new API"`,
  });
  const by = await readPersonName(project.root, decision.by);
  const store = await project.store();
  await syncBacklog(project, store, await readBacklogAtTip(project));
  const { recorded } = await recordTaskDecision(store, id, task =>
    getSkip(task, getSkippedReason(by, reason)),
  );
  const { state } = await recordDecision(store, () => []);
  const waiting = getWaitingFor(state, id);
  return { task: id, recorded, waiting, next: `harness reset ${getShellQuoted(id)}` };
}

/** Null when it is skipped for that reason already. */
function getSkip(task: TaskState, reason: string): HarnessEvent | null {
  const { id } = task.def;
  if (task.blockedReason === reason) return null;
  refuseActive(task, `harness skip ${getShellQuoted(id)}`);
  if (task.status !== 'landed') return { type: 'task.blocked', task: id, reason };
  throw new HarnessError('usage', `task ${id} has landed: there is nothing to skip`, {
    field: '<task>',
    fix: 'harness status shows what is open',
  });
}

export interface Overridden {
  readonly task: string;
  readonly recorded: boolean;
  readonly landed: boolean;
  readonly unproven: boolean;
  readonly next: string;
}

export interface OverrideInput extends TaskDecision {
  readonly withWork?: boolean;
  /** False opens it again; true when not said. */
  readonly passes?: boolean;
}

/** Puts a person's word in place of a proof, or takes a done task back. It is recorded and shown as just that. */
export async function overrideTask(
  project: Project,
  decision: OverrideInput,
): Promise<Overridden | OpenedAgain> {
  const { task: id, withWork = false } = decision;
  const reason = getReason(decision, {
    missing: '--reason is required',
    example: `harness override ${getShellQuoted(id)} --reason "done by hand in 1a2b3c4"`,
  });
  const by = await readPersonName(project.root, decision.by);
  const store = await project.store();
  await syncBacklog(project, store, await readBacklogAtTip(project));
  if (decision.passes === false) {
    const opened = await recordTaskDecision(store, id, found => getReopening(found, { reason, by }));
    return {
      task: id,
      recorded: opened.recorded,
      open: true,
      next: `harness run --task ${getShellQuoted(id)}`,
    };
  }
  const { recorded, task } = await recordTaskDecision(store, id, found =>
    getOverride(found, { reason, by, withWork }),
  );
  const landed = task.status === 'landed';
  const unproven = !landed || task.landed?.unproven !== undefined;
  const next = landed ? 'harness status' : `harness run --task ${getShellQuoted(id)}`;
  return { task: id, recorded, landed, unproven, next };
}

/** What a person took back: an agent works on it again. */
export interface OpenedAgain {
  readonly task: string;
  readonly recorded: boolean;
  readonly open: true;
  readonly next: string;
}

/** Null when it is open already. */
function getReopening(
  task: TaskState,
  { reason, by }: { readonly reason: string; readonly by: string },
): HarnessEvent | null {
  const { id } = task.def;
  refuseActive(task, `harness override ${getShellQuoted(id)} --passes false`);
  const words = `${by} says that it is not done: ${reason}`;
  if (task.status === 'landed') return { type: 'task.reopened', task: id, reason: words, tests: [] };
  return task.people.override ? { type: 'task.reset', task: id, reason: words } : null;
}

/** Null when there is nothing left to override. */
function getOverride(
  task: TaskState,
  decision: { readonly reason: string; readonly by: string; readonly withWork: boolean },
): HarnessEvent | null {
  const { id } = task.def;
  const { reason, by, withWork } = decision;
  if (task.status === 'landed') return null;
  refuseActive(task, `harness override ${getShellQuoted(id)}`);
  if (withWork && !task.held) {
    throw new HarnessError('usage', `no work of task ${id} is kept`, {
      field: '--with-work',
      fix: 'leave --with-work out to mark the task alone',
    });
  }
  const workOf = withWork ? (task.held?.attempt ?? null) : null;
  if (
    task.people.override &&
    task.people.override.reason === reason &&
    task.people.override.workOf === workOf
  )
    return null;
  return { type: 'task.overridden', task: id, reason, by, workOf, unproven: true };
}

function getReason(
  { reason }: TaskDecision,
  { missing, example }: { readonly missing: string; readonly example: string },
): string {
  if (reason?.trim()) return reason.trim();
  throw new HarnessError('usage', missing, { field: '--reason', fix: example });
}

interface ResetInput {
  readonly tasks: readonly string[];
  /** Every task that failed or waits, instead of named ones. */
  readonly all?: boolean;
  readonly reason?: string;
}

/** Gives tasks that failed for good, or wait for a person, their attempts back. */
export async function resetTasks(
  project: Project,
  { tasks, all = false, reason = 'asked for by a person' }: ResetInput,
): Promise<{ readonly reset: readonly string[] }> {
  let reset: readonly string[] = [];
  await recordDecision(await project.store(), state => {
    reset = getTasks(state, tasks, all);
    return reset.map(task => ({ type: 'task.reset', task, reason }));
  });
  return { reset };
}

function getTasks(state: State, asked: readonly string[], all: boolean): string[] {
  const stuck = [...state.open.values()].filter(({ status }) => isStuck(status));
  const ids = all ? stuck.map(task => task.def.id) : [...asked];
  for (const id of ids) {
    const status = state.tasks.get(id)?.status;
    if (isStuck(status)) continue;
    const what =
      status === undefined || status === 'removed'
        ? 'is not in the backlog'
        : `is ${status}: there is nothing to reset`;
    throw new HarnessError('usage', `task ${id} ${what}`, {
      field: id,
      fix: 'harness status shows the tasks',
    });
  }
  if (ids.length === 0 && !all) {
    const names = stuck.map(({ def }) => def.id).join(', ');
    const fix = names === '' ? 'harness status shows the tasks' : `harness reset --all resets ${names}`;
    const what = names === '' ? 'no task failed or waits' : 'say which tasks to reset';
    throw new HarnessError('usage', what, { field: 'tasks', fix });
  }
  return ids;
}

function isStuck(status: string | undefined): boolean {
  return status === 'failed' || status === 'blocked' || status === 'retry';
}
