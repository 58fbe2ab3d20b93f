import type { EventOf, StoredEvent } from '../events/event.ts';
import { getWarnings, getWarningText } from '../model/check.ts';

/** An attempt that did not land, and what decided so in the end. */
export interface AttemptWithoutLanding {
  readonly task: string;
  readonly attempt: number;
  /** The check that decided, or what else it was. */
  readonly check: string;
  readonly why: string;
  readonly findings: readonly string[];
  /** How often it was judged: work is sent back to the same agent within an attempt. */
  readonly rounds: number;
}

/** Attempts of a span that did not land, one each, however often their work was sent back. */
export function getAttemptsWithoutLanding(recent: readonly StoredEvent[]): AttemptWithoutLanding[] {
  const found = new Map<string, AttemptWithoutLanding>();
  const judged = new Map<string, number>();
  for (const { event } of recent) {
    if (event.type === 'task.landed') found.delete(getKey(event));
    if (event.type === 'attempt.ended') noteEnd(found, event);
    if (event.type !== 'verdict.given') continue;
    const key = getKey(event);
    const rounds = (judged.get(key) ?? 0) + 1;
    judged.set(key, rounds);
    found.delete(key);
    const { task, attempt, verdict } = event;
    const { word: outcome, reason: why, findings, decidedBy } = verdict;
    if (outcome !== 'proven')
      found.set(key, { task, attempt, check: decidedBy ?? outcome, why, findings, rounds });
  }
  return [...found.values()];
}

type AttemptEnded = EventOf<'attempt.ended'>;

const NOT_FAILED: ReadonlySet<AttemptEnded['outcome']> = new Set(['needs-human', 'tidy']);

/** What was never judged is told as it ended; whoever only waits for something is told elsewhere. */
function noteEnd(found: Map<string, AttemptWithoutLanding>, event: AttemptEnded): void {
  const { task, attempt, outcome, reason: why, findings } = event;
  const isElsewhere = event.unavailable || event.category === 'DEPENDENCY' || NOT_FAILED.has(outcome);
  if (found.has(getKey(event)) || isElsewhere) return;
  const check = outcome === 'rejected' ? 'landing' : 'not done';
  found.set(getKey(event), { task, attempt, check, why, findings, rounds: 0 });
}

/** What checks only warned of, in attempts that landed in a span. */
export function getLandedWarnings(events: readonly StoredEvent[], recent: readonly StoredEvent[]): string[] {
  const warned = new Map<string, readonly string[]>();
  for (const { event } of events)
    if (event.type === 'verdict.given') warned.set(getKey(event), getWarnings(event.checks));
  return recent.flatMap(({ event }) => {
    const warnings = event.type === 'task.landed' ? (warned.get(getKey(event)) ?? []) : [];
    return event.type === 'task.landed' && warnings.length > 0
      ? [`task ${event.task} landed ${getWarningText(warnings)}`]
      : [];
  });
}

function getKey({ task, attempt }: { readonly task: string; readonly attempt: number }): string {
  return `${task}#${attempt}`;
}
