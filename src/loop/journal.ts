import type { HarnessEvent, StoredEvent } from '../core/events/event.ts';
import { apply, fold } from '../core/events/fold.ts';
import { createState, type State } from '../core/state/state.ts';
import { isBlockedByDependency } from '../core/state/task-state.ts';
import { getIndexRow, getSummary } from '../core/views/index-rows.ts';
import type { AppendRequest, AppendResult, Lease, Store } from '../ports/index.ts';

/** The stream that holds every durable decision of a project. */
export const PROJECT_STREAM = 'project';

export type RecordResult =
  | { readonly ok: true; readonly lease: Lease | null }
  | { readonly ok: false; readonly why: 'conflict' | 'fenced' | 'held' };

export type RecordOptions = Pick<AppendRequest, 'lease' | 'acquire' | 'release'>;

/** Takes out of events what must not be written down. */
type Clean = (events: readonly HarnessEvent[]) => readonly HarnessEvent[];

/**
 * The recorded state and the one way to add to it. With a lease, events are about the holder's own
 * attempt and stay true whatever others append: a conflict is retried on the newer state. Without
 * one, a conflict means the decision was made on old facts and has to be made again.
 */
export class Journal {
  state: State = createState();
  readonly #store: Store;
  readonly #onRecorded: (events: readonly StoredEvent[], state: State) => Promise<void>;
  readonly #clean: Clean;
  #blocked = new Set<string>();

  constructor(
    store: Store,
    onRecorded: (events: readonly StoredEvent[], state: State) => Promise<void>,
    clean: Clean = events => events,
  ) {
    this.#store = store;
    this.#onRecorded = onRecorded;
    this.#clean = clean;
  }

  /** Catches up with what others have appended; returns how many events that were. */
  async refresh(): Promise<number> {
    const events = await this.#store.read({ stream: PROJECT_STREAM, fromSeq: this.state.seq + 1 });
    for (const stored of events) this.#note(apply(this.state, stored));
    return events.length;
  }

  async record(given: readonly HarnessEvent[], options: RecordOptions = {}): Promise<RecordResult> {
    const events = this.#clean(given);
    for (let retried = false; ; retried = true) {
      const atMs = await this.#store.nowMs();
      const { version, seq } = this.state;
      const tentative = await this.#applyTentatively(events, atMs, retried);
      if (!tentative) return { ok: false, why: 'fenced' };
      const { stored, touched } = tentative;
      const result = await this.#append({
        stream: PROJECT_STREAM,
        expectedVersion: version,
        events,
        atMs,
        ...options,
        index: this.#getIndex(touched),
      });
      if (result.ok) {
        const shift = result.seq - (seq + events.length);
        const exact = stored.map(event => ({ ...event, seq: event.seq + shift }));
        this.state.seq = result.seq;
        await this.#onRecorded(exact, this.state);
        return { ok: true, lease: result.lease };
      }
      await this.#reload();
      if (result.why !== 'conflict' || !options.lease) return { ok: false, why: result.why };
    }
  }

  /** A store that fails may have written or not: the state is what it says afterwards. */
  async #append(request: AppendRequest): Promise<AppendResult> {
    try {
      return await this.#store.append(request);
    } catch (error) {
      await this.#reload().catch(() => undefined);
      throw error;
    }
  }

  /** Null when others have moved on so far that these events no longer fit: the work is not ours any more. */
  async #applyTentatively(
    events: readonly HarnessEvent[],
    atMs: number,
    retried: boolean,
  ): Promise<{ stored: StoredEvent[]; touched: Set<string> } | null> {
    const touched = new Set<string>();
    const stored: StoredEvent[] = [];
    try {
      for (const event of events) {
        const { seq, version } = this.state;
        const entry = { seq: seq + 1, stream: PROJECT_STREAM, version: version + 1, atMs, event };
        for (const id of apply(this.state, entry)) touched.add(id);
        stored.push(entry);
      }
    } catch (error) {
      await this.#reload();
      if (retried) return null;
      throw error;
    }
    this.#note(touched);
    return { stored, touched };
  }

  /** Keeps the number of blocked tasks without ever counting them all. */
  #note(touched: Iterable<string>): void {
    for (const id of touched) {
      const task = this.state.tasks.get(id);
      if (task && isBlockedByDependency(task)) this.#blocked.add(id);
      else this.#blocked.delete(id);
    }
  }

  #getIndex(touched: Iterable<string>): NonNullable<AppendRequest['index']> {
    const rows = [];
    const removed = [];
    for (const id of touched) {
      const row = getIndexRow(this.state, id);
      if (row) rows.push(row);
      else removed.push(id);
    }
    return { rows, removed, summary: JSON.stringify(getSummary(this.state, this.#blocked.size)) };
  }

  async #reload(): Promise<void> {
    this.state = fold(await this.#store.read({ stream: PROJECT_STREAM }));
    this.#blocked = new Set();
    this.#note(this.state.tasks.keys());
  }
}
