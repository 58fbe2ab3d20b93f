import { HarnessError } from '../../core/base/failure.ts';
import { getNearest } from '../../core/base/nearest.ts';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import { compareIds } from '../../core/model/task.ts';
import type { State } from '../../core/state/state.ts';
import type { TaskState } from '../../core/state/task-state.ts';

/** The task with that id, or an error that names the ones there are. */
export function getKnownTask(state: State, id: string, field: string): TaskState {
  const task = state.tasks.get(id);
  if (task && task.status !== 'removed') return task;
  const known = [...state.tasks.values()]
    .filter(other => other.status !== 'removed')
    .map(other => other.def.id);
  throw getUnknownTaskError(known, id, field);
}

/** One message for an id that is nobody's, wherever it was given. */
export function getUnknownTaskError(known: readonly string[], id: string, field: string): HarnessError {
  const near = getNearest(id, known);
  const some = [...known].sort(compareIds).slice(0, 8).join(', ');
  const list =
    known.length === 0
      ? 'the backlog is empty: harness add "…"'
      : `there are ${some}${known.length > 8 ? ' …' : ''}`;
  return new HarnessError('usage', `there is no task "${id}"`, {
    field,
    fix:
      near !== null && /\D/.test(id)
        ? `did you mean ${near}? (${list})`
        : `${list}; harness status --all lists them`,
  });
}

/** Why a run could not work on this task now; null when it could. */
export function getNotReadyError(state: State, task: TaskState): HarnessError | null {
  const { id, dependsOn } = task.def;
  const fail = (message: string, fix: string) => new HarnessError('usage', message, { field: '--task', fix });
  switch (task.status) {
    case 'failed':
    case 'blocked': {
      const reason = task.history.at(-1)?.reason ?? 'see harness log';
      const log = `harness log --task ${getShellQuoted(id)} tells what happened`;
      const fix =
        task.people.question === null
          ? log
          : `harness answer ${getShellQuoted(id)}, as harness inbox shows; ${log}`;
      return fail(`task ${id} is ${task.status}: ${task.blockedReason ?? reason}`, fix);
    }
    case 'pending':
    case 'retry': {
      if (state.ready.rankOf(id) !== null) return null;
      const waits = dependsOn.filter(other => state.tasks.get(other)?.status !== 'landed');
      const named = waits.map(other => `${other} (${state.tasks.get(other)?.status ?? 'unknown'})`);
      return fail(
        `task ${id} is not ready: it waits for ${named.join(', ')}`,
        `harness run --task ${getShellQuoted(waits[0] ?? id)} first`,
      );
    }
    case 'active':
    case 'landed':
    case 'removed':
      return null;
  }
}
