import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject } from '../../../app/project/open-project.ts';
import { openProjectStore } from '../../../app/project/open-record.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import type { State } from '../../../core/state/state.ts';
import { Journal } from '../../../loop/journal.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';

export interface ResetOptions extends CommonOptions {
  readonly all?: boolean;
  readonly reason?: string;
}

/** `harness reset`: gives tasks that failed for good or wait for a person their attempts back. */
export async function reset(io: Io, tasks: readonly string[], options: ResetOptions): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  const store = await openProjectStore(project);
  try {
    const journal = new Journal(store, async () => undefined);
    await journal.refresh();
    const ids = getTasks(journal.state, tasks, options.all ?? false);
    const reason = options.reason ?? 'asked for by a person';
    for (;;) {
      const result = await journal.record(ids.map(task => ({ type: 'task.reset', task, reason })));
      if (result.ok) break;
    }
    if (options.json) io.out(JSON.stringify({ reset: ids }));
    else io.out(`reset: ${ids.join(', ')}\nnext: harness run`);
  } finally {
    await store.close();
  }
}

function getTasks(state: State, asked: readonly string[], all: boolean): string[] {
  const stuck = [...state.tasks.values()].filter(
    ({ status }) => status === 'failed' || status === 'blocked' || status === 'retry',
  );
  const ids = all ? stuck.map(task => task.def.id) : [...asked];
  for (const id of ids) {
    const status = state.tasks.get(id)?.status;
    if (status === 'failed' || status === 'blocked' || status === 'retry') continue;
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
