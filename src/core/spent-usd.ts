import type { HarnessEvent, StoredEvent } from './event.ts';

/** What was spent in a span of the record: every dollar once, in the moment that it became known. */
export function getSpentUsd(
  events: readonly StoredEvent[],
  isRecent: (event: StoredEvent) => boolean,
): number {
  const underWay = new Map<string, number>();
  let sum = 0;
  for (const stored of events) {
    const spentUsd = getNewlySpentUsd(stored.event, underWay);
    if (isRecent(stored)) sum += spentUsd;
  }
  return sum;
}

/** The end of a session says what it used in all, of which a part has been recorded as it went. */
function getNewlySpentUsd(event: HarnessEvent, underWay: Map<string, number>): number {
  if (event.type === 'planner.spent') return event.usage.costUsd;
  if (event.type === 'verdict.given')
    return event.checks.reduce((sum, { usage }) => sum + (usage?.costUsd ?? 0), 0);
  if (event.type !== 'session.spent' && event.type !== 'session.ended') return 0;
  const key = `${event.task}#${event.attempt}`;
  const { costUsd } = event.usage;
  const before = underWay.get(key) ?? 0;
  if (event.type === 'session.spent') {
    if (event.role === undefined) underWay.set(key, before + costUsd);
    return costUsd;
  }
  underWay.delete(key);
  return Math.max(0, costUsd - before);
}
