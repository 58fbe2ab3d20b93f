import { getTouches, isOfAttempt } from '../core/events/apart.ts';
import type { HarnessEvent, StoredEvent } from '../core/events/event.ts';
import { apply } from '../core/events/fold.ts';
import { FOLD_NAME } from '../core/saved/fold-name.ts';
import { type ClosedPart, getMark } from '../core/saved/saved-head.ts';
import { createDraft } from '../core/state/draft.ts';
import { createState, type State } from '../core/state/state.ts';
import { isBlockedByDependency } from '../core/state/task-state.ts';
import { getIndexRow, getSummary } from '../core/views/index-rows.ts';
import type { AppendRequest, AppendResult, Lease, Store } from '../ports/index.ts';
import { pause } from './pause.ts';
import { readSavedState, writeSavedState } from './saved-state.ts';
import { Turns } from './turns.ts';

/** The stream that holds every durable decision of a project. */
export const PROJECT_STREAM = 'project';

export type RecordResult =
  | { readonly ok: true; readonly lease: Lease | null }
  | { readonly ok: false; readonly why: 'conflict' | 'fenced' | 'held' };

export type RecordOptions = Pick<AppendRequest, 'lease' | 'acquire' | 'release'> & {
  /** The version of the state that was decided on: with any other, it is a conflict. */
  readonly decidedOn?: number;
};

/** Takes out of events what must not be written down. */
type Clean = (events: readonly HarnessEvent[]) => readonly HarnessEvent[];

/**
 * The recorded state and the one way to add to it; callers come one after the other, and nobody ever sees in it
 * what the store has not taken. With a lease, events are about the holder's own attempt and stay true whatever
 * others append: only what touches the same task is a conflict, and is tried again on the newer state. Without one, a conflict means the decision was made on
 * old facts and has to be made again.
 */
export class Journal {
  #state: State = createState();
  readonly #store: Store;
  readonly #onRecorded: (events: readonly StoredEvent[], state: State) => Promise<void>;
  readonly #clean: Clean;
  readonly #turns = new Turns();
  readonly #blocked = new Set<string>();
  /** The newest event in the state. */
  #last: StoredEvent | null = null;
  #saved: Saved = { version: 0, parts: [] };

  constructor(
    store: Store,
    onRecorded: (events: readonly StoredEvent[], state: State) => Promise<void>,
    clean: Clean = events => events,
  ) {
    this.#store = store;
    this.#onRecorded = onRecorded;
    this.#clean = clean;
  }

  get state(): State {
    return this.#state;
  }

  /** Catches up with what others have appended, or with so much of it; returns how many events that were. */
  refresh(upToSeq?: number): Promise<number> {
    return this.#turns.take(() => this.#refresh(upToSeq));
  }

  record(given: readonly HarnessEvent[], options: RecordOptions = {}): Promise<RecordResult> {
    // As the store will give them back: the state is what anybody would fold.
    const events = JSON.parse(JSON.stringify(this.#clean(given))) as readonly HarnessEvent[];
    return this.#turns.take(() => this.#record(events, options));
  }

  /** Writes the summary anew where the last append could not, because it did not know of all before it. */
  settle(): Promise<void> {
    return this.#turns.take(() => this.#settle());
  }

  /** Saves the state where so many events have come since, so that whoever opens the project next need not fold them. */
  save(atLeast = 1): Promise<void> {
    return this.#turns.take(() => this.#save(atLeast));
  }

  async #save(atLeast: number): Promise<void> {
    const { version } = this.#state;
    if (FOLD_NAME === null || this.#last === null || version - this.#saved.version < atLeast) return;
    const saved = { fold: FOLD_NAME, mark: getMark(this.#last), parts: this.#saved.parts };
    const parts = await writeSavedState(this.#store, PROJECT_STREAM, { state: this.#state, ...saved });
    this.#saved = { version, parts };
  }

  /** What was saved, once, before anything is folded. */
  async #load(upToSeq: number): Promise<void> {
    if (FOLD_NAME === null || this.#state.version > 0) return;
    const saved = await readSavedState(this.#store, PROJECT_STREAM, { fold: FOLD_NAME, upToSeq });
    if (!saved) return;
    const { state, parts } = saved;
    this.#state = state;
    this.#saved = { version: state.version, parts };
    for (const task of state.open.values()) if (isBlockedByDependency(task)) this.#blocked.add(task.def.id);
  }

  async #settle(): Promise<void> {
    const summary = JSON.stringify(getSummary(this.state, this.#blocked.size));
    const request = { stream: PROJECT_STREAM, expectedVersion: this.state.version, events: [], atMs: 0 };
    // On a conflict somebody has appended since: that append, or whoever made it, has the newer summary.
    await this.#store
      .append({ ...request, index: { rows: [], removed: [], summary } })
      .catch(() => undefined);
  }

  async #refresh(upToSeq = Number.POSITIVE_INFINITY): Promise<number> {
    await this.#load(upToSeq);
    for (let count = 0; ; await pause()) {
      const fromSeq = this.state.seq + 1;
      const events = await this.#store.read({ stream: PROJECT_STREAM, fromSeq, limit: PAGE });
      const wanted = events.filter(({ seq }) => seq <= upToSeq);
      this.#apply(wanted);
      count += wanted.length;
      if (wanted.length < PAGE) return count;
    }
  }

  async #record(
    events: readonly HarnessEvent[],
    { decidedOn, ...options }: RecordOptions,
  ): Promise<RecordResult> {
    if (decidedOn !== undefined && decidedOn !== this.state.version) return { ok: false, why: 'conflict' };
    for (let retried = false; ; retried = true) {
      const atMs = await this.#store.nowMs();
      const tried = this.#tryOut(events, atMs, retried);
      if (!tried) return { ok: false, why: 'fenced' };
      const expectedVersion = this.state.version;
      const { index, touches } = tried;
      const held = options.lease && touches ? { touches } : {};
      const request = { stream: PROJECT_STREAM, expectedVersion, events, atMs, index, ...options, ...held };
      const result = await this.#append(request);
      if (result.ok) {
        const stored = getStored(request, result);
        this.#apply(result.tail);
        this.#apply(stored);
        await this.#onRecorded(stored, this.state);
        if (result.tail.length > 0) await this.#settle();
        return { ok: true, lease: result.lease };
      }
      if (result.why === 'conflict') this.#apply(result.tail);
      if (result.why !== 'conflict' || this.state.version < result.version) await this.#refresh();
      if (result.why !== 'conflict' || !options.lease) return { ok: false, why: result.why };
    }
  }

  /** A store that fails may have written or not: the state is what it says afterwards. */
  async #append(request: AppendRequest): Promise<AppendResult> {
    try {
      return await this.#store.append(request);
    } catch (error) {
      await this.#refresh().catch(() => undefined);
      throw error;
    }
  }

  #apply(events: readonly StoredEvent[]): void {
    for (const stored of events) {
      for (const id of apply(this.state, stored)) {
        if (isBlocked(this.state, id)) this.#blocked.add(id);
        else this.#blocked.delete(id);
      }
      this.#last = stored;
    }
  }

  /**
   * What does not fold never gets into the log: one misfit would keep the project from being opened again. Null
   * when others have moved on so far that these events no longer fit: the work is not ours any more.
   */
  #tryOut(events: readonly HarnessEvent[], atMs: number, retried: boolean): Tried | null {
    const draft = createDraft(this.state);
    const touched = new Set<string>();
    try {
      for (const event of events) {
        const entry = { seq: draft.seq + 1, stream: PROJECT_STREAM, version: draft.version + 1, atMs, event };
        for (const id of apply(draft, entry)) touched.add(id);
      }
    } catch (error) {
      if (retried) return null;
      throw error;
    }
    const index = this.#getIndex(draft, touched);
    return events.every(isOfAttempt) ? { index, touches: getTouches(draft, touched) } : { index };
  }

  #getIndex(draft: State, touched: ReadonlySet<string>): Index {
    const rows = [];
    const removed = [];
    let blocked = this.#blocked.size;
    for (const id of touched) {
      const row = getIndexRow(draft, id);
      if (row) rows.push(row);
      else removed.push(id);
      blocked += Number(isBlocked(draft, id)) - Number(this.#blocked.has(id));
    }
    return { rows, removed, summary: JSON.stringify(getSummary(draft, blocked)) };
  }
}

type Index = NonNullable<AppendRequest['index']>;
type Tried = Required<Pick<AppendRequest, 'index'>> & Pick<AppendRequest, 'touches'>;

/** So many events at once: reading and folding more would keep everything else in this process waiting. */
const PAGE = 200;

/** What the store has of the state, as far as this one knows. */
interface Saved {
  readonly version: number;
  readonly parts: readonly ClosedPart[];
}

function isBlocked({ tasks }: State, id: string): boolean {
  const task = tasks.get(id);
  return task !== undefined && isBlockedByDependency(task);
}

/** The events as the store keeps them: it says what the last one became. */
function getStored(
  { stream, events, atMs }: AppendRequest,
  { seq, version }: { readonly seq: number; readonly version: number },
): StoredEvent[] {
  const first = 1 - events.length;
  return events.map((event, at) => ({
    seq: seq + first + at,
    stream,
    version: version + first + at,
    atMs,
    event,
  }));
}
