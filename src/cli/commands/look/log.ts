import { checkStoreFile } from '../../../adapters/store/store-files.ts';
import { getWhere, openCheckout } from '../../../app/project/open-checkout.ts';
import { openProjectStore } from '../../../app/project/open-record.ts';
import { getEventLevel, getEventLine, type StoredEvent } from '../../../core/events/event.ts';
import { isAtLeast } from '../../../core/events/log-rules.ts';
import type { EventLevel } from '../../../core/model/facts.ts';
import type { EventQuery, Store } from '../../../ports/index.ts';
import { getEventTypes } from '../../render/event-types.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { getTimeMs } from '../../terminal/parse-time.ts';
import { listenForSignals } from '../../terminal/signals.ts';
import { createStyle, type Style } from '../../terminal/style.ts';

export interface LogOptions extends CommonOptions {
  readonly task?: string;
  readonly session?: number;
  readonly type: readonly string[];
  readonly level?: EventLevel;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly follow?: boolean;
}

const DEFAULT_LIMIT = 100;
const POLL_MS = 500;

/** `harness log`: the record itself, filtered; a line of JSON each where a program reads it. */
export async function log(io: Io, asked: LogOptions): Promise<void> {
  const query = getQuery(asked);
  const checkout = await openCheckout(getWhere(io, asked.repo));
  const options = withLevel(asked, checkout.config.logging.level);
  if (!checkStoreFile(checkout.stateDir) && !options.follow) {
    if (!options.json) io.err('Nothing has been recorded yet.\nnext: harness run');
    return;
  }
  const store = await openProjectStore(checkout);
  try {
    const show = createPrinter(io, options.json ?? false);
    const sessions = new SessionFinder();
    const shown = await readMatching(store, query, options, sessions);
    for (const stored of shown) show(stored, sessions.find(stored));
    if (options.follow) await follow(store, query, options, sessions, show);
    else if (shown.length === 0 && !options.json)
      io.err(`Nothing recorded matches.\nnext: harness log${asked.level ? '' : ' --level debug'}`);
  } finally {
    await store.close();
  }
}

/** People are shown what the project calls worth showing; whoever names a type or is a program gets all. */
function withLevel(options: LogOptions, level: EventLevel): LogOptions {
  return options.level || options.json || options.type.length > 0 ? options : { ...options, level };
}

function getQuery({ task, type, since, until }: LogOptions): EventQuery {
  const nowMs = Date.now();
  return {
    ...(task === undefined ? {} : { task }),
    ...(type.length === 0 ? {} : { types: getEventTypes(type) }),
    ...(since === undefined ? {} : { sinceMs: getTimeMs(since, nowMs, '--since') }),
    ...(until === undefined ? {} : { untilMs: getTimeMs(until, nowMs, '--until') }),
  };
}

/** The newest that match, oldest first. Level and session are not columns: those are looked for in the rest. */
async function readMatching(
  store: Store,
  query: EventQuery,
  options: LogOptions,
  sessions: SessionFinder,
): Promise<StoredEvent[]> {
  sessions.learn(await store.read({ types: ['attempt.started'] }));
  const limit = options.limit ?? DEFAULT_LIMIT;
  const isPlain = options.level === undefined && options.session === undefined;
  const found = await store.read({ ...query, newestFirst: true, ...(isPlain ? { limit } : {}) });
  return found
    .filter(stored => matches(stored, options, sessions))
    .slice(0, limit)
    .reverse();
}

function matches(stored: StoredEvent, { level, session }: LogOptions, sessions: SessionFinder): boolean {
  if (level !== undefined && !isAtLeast(getEventLevel(stored.event), level)) return false;
  return session === undefined || sessions.find(stored) === session;
}

async function follow(
  store: Store,
  query: EventQuery,
  options: LogOptions,
  sessions: SessionFinder,
  show: (stored: StoredEvent, session: number | null) => void,
): Promise<void> {
  const stop = listenForSignals();
  const [newest] = await store.read({ limit: 1, newestFirst: true });
  let seen = newest?.seq ?? 0;
  while (!stop.signal.aborted) {
    const fresh = await store.read({ fromSeq: seen + 1 });
    sessions.learn(fresh);
    seen = fresh.at(-1)?.seq ?? seen;
    const wanted = fresh.length > 0 ? await store.read({ ...query, fromSeq: fresh[0]?.seq ?? 0 }) : [];
    for (const stored of wanted)
      if (stored.seq <= seen && matches(stored, options, sessions)) show(stored, sessions.find(stored));
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
  stop.dispose();
}

/** Which session an event belongs to: said by some, known from its attempt for the rest. */
class SessionFinder {
  readonly #byAttempt = new Map<string, number>();

  learn(events: readonly StoredEvent[]): void {
    for (const { event } of events)
      if (event.type === 'attempt.started')
        this.#byAttempt.set(`${event.attempt} ${event.task}`, event.session);
  }

  find({ event }: StoredEvent): number | null {
    if ('session' in event) return event.session;
    return 'attempt' in event ? (this.#byAttempt.get(`${event.attempt} ${event.task}`) ?? null) : null;
  }
}

function createPrinter(io: Io, json: boolean): (stored: StoredEvent, session: number | null) => void {
  const style = createStyle(io.colourOut);
  return (stored, session) => io.out(json ? getJsonLine(stored, session) : getLine(stored, style));
}

function getJsonLine({ seq, atMs, event }: StoredEvent, session: number | null): string {
  const head = { seq, at: new Date(atMs).toISOString(), level: getEventLevel(event), session };
  return JSON.stringify({ ...head, ...event });
}

function getLine(stored: StoredEvent, style: Style): string {
  const { event, atMs } = stored;
  const at = new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');
  const level = getEventLevel(event);
  const paint = level === 'critical' ? style.bad : level === 'important' ? style.bold : style.dim;
  const text = getEventLine(stored)?.trimStart() ?? getPlainText(event);
  const indented = text.replace(/\n\s*/g, `\n${' '.repeat(43)}`);
  return `${style.dim(at)}  ${paint(event.type.padEnd(18))}  ${indented}`;
}

/** Facts that are only of use to the harness, in short. */
function getPlainText(event: StoredEvent['event']): string {
  const { type: _, ...rest } = event;
  const parts = Object.entries(rest).map(([key, value]) => `${key}=${getValueText(value)}`);
  const text = parts.join(' ');
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

function getValueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`;
  if (typeof value === 'object' && value !== null) return '{…}';
  return String(value).replace(/^[0-9a-f]{40,64}$/, id => id.slice(0, 10));
}
