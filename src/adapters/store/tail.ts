import { isApart } from '../../core/events/apart.ts';
import type { StoredEvent } from '../../core/events/event.ts';
import type { AppendRequest } from '../../ports/index.ts';

/** So many events come with an answer: more than others append in any moment, and few enough to be read in one. */
export const MAX_TAIL = 100;

/** Whether an append that did not know of the newest events may be written after them all the same. */
export function mayFollow(
  tail: readonly StoredEvent[],
  version: number,
  { expectedVersion, touches }: AppendRequest,
): boolean {
  if (version === expectedVersion) return true;
  if (touches === undefined || tail.length !== version - expectedVersion) return false;
  const tasks = new Set(touches);
  return tail.every(({ event }) => isApart(event, tasks));
}
