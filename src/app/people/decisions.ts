import { HarnessError } from '../../core/base/failure.ts';
import type { HarnessEvent } from '../../core/events/event.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import { readBacklogAtTip, syncBacklog } from '../project/backlog-at-tip.ts';
import type { Project } from '../project/open-project.ts';
import { readPersonName, recordDecision, refuseActive } from './person.ts';

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
  readonly next: string;
}

/** Leaves a task out, and with it what builds on it, until somebody resets it. */
export async function skipTask(project: Project, said: TaskDecision): Promise<Skipped> {
  const { task: id } = said;
  const reason = getReason(said, {
    missing: '--reason is required',
    example: `harness skip ${id} --reason "waits for the new API"`,
  });
  const by = await readPersonName(project.root, said.by);
  const store = await project.store();
  await syncBacklog(project, store, await readBacklogAtTip(project));
  const { recorded } = await recordDecision(store, id, task => getSkip(task, `skipped by ${by}: ${reason}`));
  return { task: id, recorded, next: `harness reset ${id}` };
}

/** Null when it is skipped for that reason already. */
function getSkip(task: TaskState, reason: string): HarnessEvent | null {
  const { id } = task.def;
  if (task.blockedReason === reason) return null;
  refuseActive(task, `harness skip ${id}`);
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

/** Puts a person's word in place of a proof. It is recorded and shown as just that. */
export async function overrideTask(
  project: Project,
  said: TaskDecision & { readonly withWork?: boolean },
): Promise<Overridden> {
  const { task: id, withWork = false } = said;
  const reason = getReason(said, {
    missing: '--reason is required',
    example: `harness override ${id} --reason "done by hand in 1a2b3c4"`,
  });
  const by = await readPersonName(project.root, said.by);
  const store = await project.store();
  await syncBacklog(project, store, await readBacklogAtTip(project));
  const { recorded, task } = await recordDecision(store, id, found =>
    getOverride(found, { reason, by, withWork }),
  );
  const landed = task.status === 'landed';
  const unproven = !landed || task.landed?.unproven !== undefined;
  const next = landed ? 'harness status' : `harness run --task ${id}`;
  return { task: id, recorded, landed, unproven, next };
}

/** Null when there is nothing left to override. */
function getOverride(
  task: TaskState,
  said: { readonly reason: string; readonly by: string; readonly withWork: boolean },
): HarnessEvent | null {
  const { id } = task.def;
  const { reason, by, withWork } = said;
  if (task.status === 'landed') return null;
  refuseActive(task, `harness override ${id}`);
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
