import { HarnessError } from '../../core/base/failure.ts';
import type { State } from '../../core/state/state.ts';
import { recordWord } from '../people/person.ts';
import type { Project } from '../project/open-project.ts';

export interface ResetInput {
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
  await recordWord(await project.store(), state => {
    reset = getTasks(state, tasks, all);
    return reset.map(task => ({ type: 'task.reset', task, reason }));
  });
  return { reset };
}

function getTasks(state: State, asked: readonly string[], all: boolean): string[] {
  const stuck = [...state.tasks.values()].filter(({ status }) => isStuck(status));
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
  if (ids.length === 0) {
    const fix = 'name the tasks, or use --all once some have failed';
    throw new HarnessError('usage', 'there is no task to reset', { field: 'tasks', fix });
  }
  return ids;
}

function isStuck(status: string | undefined): boolean {
  return status === 'failed' || status === 'blocked' || status === 'retry';
}
