import { HarnessError } from '../../core/base/failure.ts';
import type { HarnessEvent } from '../../core/events/event.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import { readBacklogAtTip } from '../project/backlog-at-tip.ts';
import type { Project } from '../project/open-project.ts';
import { syncBacklog } from '../project/read-index.ts';
import { readPersonName, recordDecision, refuseActive } from './person.ts';

export interface Skipped {
  readonly task: string;
  /** False when it was skipped for that reason already. */
  readonly recorded: boolean;
  readonly next: string;
}

/** Leaves a task out, and with it what builds on it, until somebody resets it. */
export async function skipTask(
  project: Project,
  input: { readonly task: string; readonly reason?: string; readonly by?: string },
): Promise<Skipped> {
  const { task: id, reason = '' } = input;
  if (reason.trim() === '') {
    const fix = `harness skip ${id} --reason "waits for the new API"`;
    throw new HarnessError('usage', 'why should it be left out?', { field: '--reason', fix });
  }
  const by = await readPersonName(project.root, input.by);
  const store = await project.store();
  await syncBacklog(project, store, await readBacklogAtTip(project));
  const why = `skipped by ${by}: ${reason.trim()}`;
  const { recorded } = await recordDecision(store, id, (_, task) => getSkip(task, why));
  return { task: id, recorded, next: `harness reset ${id}` };
}

/** Null when it is skipped for that reason already. */
function getSkip(task: TaskState, reason: string): HarnessEvent | null {
  const { id } = task.def;
  if (task.setAside === reason) return null;
  refuseActive(task, `harness skip ${id}`);
  if (task.status === 'landed') {
    throw new HarnessError('usage', `task ${id} has landed: there is nothing to skip`, {
      field: '<task>',
      fix: 'harness status shows what is open',
    });
  }
  return { type: 'task.blocked', task: id, reason };
}
