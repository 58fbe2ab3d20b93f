import type { Policy } from '../model/policy.ts';
import { compareIds } from '../model/task.ts';
import { CLEANUP_TITLE, getCleanupOutlook, isCleanupDue } from '../state/cleanup.ts';
import type { State } from '../state/state.ts';
import { isCounted } from '../state/task-moves.ts';
import { getCleanupRank, getReadyRank, type TaskState } from '../state/task-state.ts';
import { getCleanupInterval } from './cleanup.ts';

interface Next {
  readonly id: string;
  readonly title: string;
}

/** What a run would take first once this task has landed: what waited for it alone is ready by then. */
export function getNextAfter(
  state: State,
  { def }: TaskState,
  policy: Pick<Policy, 'limits' | 'testing'>,
): Next | null {
  const first = state.ready.peek(id => id === def.id);
  const freed = [...(state.dependents.get(def.id) ?? [])].filter(id => state.tasks.get(id)?.unmet === 1);
  const queue = [...freed, ...(first === null ? [] : [first])].flatMap(id => {
    const task = state.tasks.get(id);
    const rank = task && getReadyRank({ ...task, unmet: 0 });
    return task && rank ? [{ rank, id, title: task.def.title }] : [];
  });
  const outlook = getCleanupOutlook(state);
  const since = outlook.since + Number(isCounted(def));
  if (isCleanupDue({ ...outlook, since }, getCleanupInterval(policy)))
    queue.push({ rank: getCleanupRank(outlook.id), id: outlook.id, title: CLEANUP_TITLE });
  const [next] = queue.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : compareIds(a.id, b.id)));
  return next ? { id: next.id, title: next.title } : null;
}
