import { getEventLevel, getEventLine, type StoredEvent } from '../../core/events/event.ts';
import { isAtLeast } from '../../core/events/log-rules.ts';
import type { EventLevel } from '../../core/model/facts.ts';
import type { EventQuery, Store } from '../../ports/index.ts';
import type { Checkout } from '../project/open-checkout.ts';
import { isRecorded } from '../project/store/open-project-store.ts';

/** Which events are wanted; nothing said is every one of them. */
export interface LogInput {
  readonly task?: string;
  readonly session?: number;
  readonly types?: readonly string[];
  /** What the event has to say, in capitals or not. */
  readonly text?: string;
  /** At least this important. */
  readonly level?: EventLevel;
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** The newest so many. */
  readonly limit?: number;
}

export interface LoggedEvent {
  readonly stored: StoredEvent;
  readonly level: EventLevel;
  /** The session it belongs to: said by some events, known from their attempt for the rest. */
  readonly session: number | null;
}

const DEFAULT_LIMIT = 100;
const POLL_MS = 500;

export function isAnythingRecorded(checkout: Checkout): boolean {
  return isRecorded(checkout);
}

/** The record itself, oldest first; goes on with what comes until the signal, where there is one. */
export async function* readLog(
  checkout: Checkout,
  input: LogInput,
  follow?: AbortSignal,
): AsyncGenerator<LoggedEvent> {
  const store = await checkout.store();
  const getSession = createSessionFinder();
  getSession.learn(await store.read({ types: ['attempt.started'] }));
  const toEntries = (found: readonly StoredEvent[]) =>
    found.map(stored => getEntry(stored, getSession.find(stored))).filter(entry => isWanted(entry, input));
  // Asked first: what comes while these are shown is new.
  const [newest] = await store.read({ limit: 1, newestFirst: true });
  let seen = newest?.seq ?? 0;
  const known = await readNewest(store, input, toEntries);
  yield* known.filter(({ stored }) => stored.seq <= seen);
  while (follow && !follow.aborted) {
    const fresh = await store.read({ fromSeq: seen + 1 });
    getSession.learn(fresh);
    const [first, last] = [fresh[0], fresh.at(-1)];
    if (first && last) {
      const found = await store.read({ ...getQuery(input), fromSeq: first.seq });
      yield* toEntries(found.filter(({ seq }) => seq <= last.seq));
      seen = last.seq;
    }
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}

/** Text, level and session are not columns: those are looked for in the rest. */
async function readNewest(
  store: Store,
  input: LogInput,
  toEntries: (found: readonly StoredEvent[]) => LoggedEvent[],
): Promise<LoggedEvent[]> {
  const { limit = DEFAULT_LIMIT, level, session, text } = input;
  const isPlain = level === undefined && session === undefined && text === undefined;
  const found = await store.read({ ...getQuery(input), newestFirst: true, ...(isPlain ? { limit } : {}) });
  return toEntries(found).slice(0, limit).reverse();
}

function getQuery({ task, types, sinceMs, untilMs }: LogInput): EventQuery {
  return {
    ...(task === undefined ? {} : { task }),
    ...(types === undefined || types.length === 0 ? {} : { types }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(untilMs === undefined ? {} : { untilMs }),
  };
}

function getEntry(stored: StoredEvent, session: number | null): LoggedEvent {
  return { stored, level: getEventLevel(stored.event), session };
}

function isWanted(entry: LoggedEvent, { level, session, text }: LogInput): boolean {
  if (text !== undefined && !hasText(entry, text)) return false;
  if (level !== undefined && !isAtLeast(entry.level, level)) return false;
  return session === undefined || entry.session === session;
}

/** In what it says to people, or in any of its fields. */
function hasText({ stored }: LoggedEvent, text: string): boolean {
  const all = `${getEventLine(stored) ?? ''}\n${JSON.stringify(stored.event)}`;
  return all.toLowerCase().includes(text.toLowerCase());
}

function createSessionFinder() {
  const byAttempt = new Map<string, number>();
  return {
    learn(events: readonly StoredEvent[]): void {
      for (const { event } of events)
        if (event.type === 'attempt.started') byAttempt.set(`${event.attempt} ${event.task}`, event.session);
    },
    find({ event }: StoredEvent): number | null {
      if ('session' in event) return event.session;
      return 'attempt' in event ? (byAttempt.get(`${event.attempt} ${event.task}`) ?? null) : null;
    },
  };
}
