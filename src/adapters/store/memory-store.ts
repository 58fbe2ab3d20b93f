import type { HarnessEvent, StoredEvent } from '../../core/events/event.ts';
import type {
  AppendRequest,
  AppendResult,
  EventQuery,
  IndexRow,
  Lease,
  LeaseInfo,
  Store,
} from '../../ports/index.ts';
import { getHolder, getLeaseInfo, isCurrent, isUncontested, type LeaseRow } from './lease-actions.ts';
import { getPartName } from './saved-states.ts';
import { createStoreClock } from './store-clock.ts';
import { MAX_TAIL, mayFollow } from './tail.ts';

type Acquire = NonNullable<AppendRequest['acquire']>;
type Acquired = Awaited<ReturnType<Store['acquire']>>;

/**
 * A store for the simulator: the same rules as the real one, on a clock and with tokens that the
 * caller controls, nothing to open and nothing to wait for.
 */
export function createMemoryStore(wallMs: () => number, token: () => string): MemoryStore {
  return new MemoryStore(wallMs, token);
}

class MemoryStore implements Store {
  /** What `status` and `next` would read. */
  readonly index = new Map<string, IndexRow>();
  summary = '';

  readonly #events: StoredEvent[] = [];
  readonly #versions = new Map<string, number>();
  readonly #leases = new Map<string, LeaseRow>();
  readonly #cache = new Map<string, string>();
  readonly #meta = new Map<string, string>();
  readonly #saved = new Map<string, Saved>();
  readonly #clock = createStoreClock();
  readonly #wallMs: () => number;
  readonly #token: () => string;

  constructor(wallMs: () => number, token: () => string) {
    this.#wallMs = wallMs;
    this.#token = token;
  }

  async append(request: AppendRequest): Promise<AppendResult> {
    const { lease, stream } = request;
    if (lease && !this.#holds(lease)) return { ok: false, why: 'fenced' };
    let version = this.#versions.get(stream) ?? 0;
    const tail = version === request.expectedVersion ? [] : this.#readTail(request);
    if (!mayFollow(tail, version, request)) return { ok: false, why: 'conflict', version, tail };
    const copies = request.events.map(copyEvent);
    const taken = request.acquire ? this.#take(request.acquire) : null;
    if (taken && !taken.ok) return { ok: false, why: 'held', by: taken.by };
    if (request.release && lease) this.#free(lease);
    for (const event of copies) {
      version++;
      const seq = this.#events.length + 1;
      this.#events.push({ seq, stream, version, atMs: request.atMs, event });
    }
    this.#versions.set(stream, version);
    if (request.index) this.#writeIndex(request.index, tail.length === 0);
    return { ok: true, version, seq: this.#events.length, lease: taken?.lease ?? null, tail };
  }

  async read(query: EventQuery): Promise<readonly StoredEvent[]> {
    return selectEvents(this.#events, query);
  }

  async acquire(request: Acquire): Promise<Acquired> {
    return this.#take(request);
  }

  async renew(lease: Lease, ttlMs: number): Promise<Lease | null> {
    if (!isUncontested(this.#leases.get(lease.resource), lease)) return null;
    const renewed = { ...lease, expiresAtMs: this.#now() + ttlMs };
    this.#leases.set(lease.resource, renewed);
    return renewed;
  }

  async release(lease: Lease): Promise<void> {
    if (isUncontested(this.#leases.get(lease.resource), lease)) this.#free(lease);
  }

  async leases(): Promise<readonly LeaseInfo[]> {
    const infos = [...this.#leases.values()].map(getLeaseInfo).filter(info => info !== null);
    return infos.sort((a, b) => (a.resource < b.resource ? -1 : 1));
  }

  async nowMs(): Promise<number> {
    return this.#now();
  }

  async cacheGet(key: string): Promise<string | null> {
    return this.#cache.get(key) ?? null;
  }

  async cachePut(key: string, value: string): Promise<void> {
    this.#cache.set(key, value);
  }

  async metaGet(key: string): Promise<string | null> {
    return this.#meta.get(key) ?? null;
  }

  async metaPut(key: string, value: string): Promise<void> {
    this.#meta.set(key, value);
  }

  async savedGet(stream: string): Promise<Uint8Array | null> {
    return this.#savedOf(stream).head;
  }

  async savedPut(stream: string, head: Uint8Array, names: readonly string[]): Promise<boolean> {
    const { parts } = this.#savedOf(stream);
    if (names.some(name => !parts.has(name))) return false;
    const kept = [...parts].filter(([name]) => names.includes(name));
    this.#saved.set(stream, { head, parts: new Map(kept) });
    return true;
  }

  async partsGet(stream: string, names: readonly string[]): Promise<ReadonlyMap<string, () => Uint8Array>> {
    const { parts } = this.#savedOf(stream);
    return new Map([...parts].flatMap(([name, body]) => (names.includes(name) ? [[name, () => body]] : [])));
  }

  async partPut(stream: string, body: Uint8Array): Promise<string> {
    const name = getPartName(body);
    this.#savedOf(stream).parts.set(name, body);
    return name;
  }

  async close(): Promise<void> {}

  #savedOf(stream: string): Saved {
    const saved = this.#saved.get(stream) ?? { head: null, parts: new Map() };
    this.#saved.set(stream, saved);
    return saved;
  }

  #readTail({ stream, expectedVersion }: AppendRequest): StoredEvent[] {
    const tail = this.#events.filter(event => event.stream === stream && event.version > expectedVersion);
    return tail.slice(0, MAX_TAIL);
  }

  #now(): number {
    return this.#clock.now(null, this.#wallMs());
  }

  #holds(lease: Lease): boolean {
    return isCurrent(this.#leases.get(lease.resource), lease, this.#now());
  }

  #take({ resource, owner, ttlMs, adoptedFence }: Acquire): Acquired {
    const row = this.#leases.get(resource);
    const nowMs = this.#now();
    const by = getHolder(row, adoptedFence, nowMs);
    if (by) return { ok: false, by };
    const fence = (row?.fence ?? 0) + 1;
    const lease = { resource, owner, fence, token: this.#token(), expiresAtMs: nowMs + ttlMs };
    this.#leases.set(resource, lease);
    return { ok: true, lease };
  }

  #free({ resource, fence }: Lease): void {
    this.#leases.set(resource, { resource, fence, owner: null, token: null, expiresAtMs: 0 });
  }

  #writeIndex({ rows, removed, summary }: NonNullable<AppendRequest['index']>, withSummary: boolean): void {
    for (const id of removed) this.index.delete(id);
    for (const row of rows) this.index.set(row.id, row);
    if (withSummary) this.summary = summary;
  }
}

interface Saved {
  readonly head: Uint8Array | null;
  readonly parts: Map<string, Uint8Array>;
}

/** As an event comes back from disk: nothing that JSON cannot carry, nothing shared with its giver. */
function copyEvent(event: HarnessEvent): HarnessEvent {
  return JSON.parse(JSON.stringify(event));
}

function selectEvents(events: readonly StoredEvent[], query: EventQuery): StoredEvent[] {
  const limit = query.limit ?? Number.POSITIVE_INFINITY;
  const found: StoredEvent[] = [];
  const first = Math.max(0, (query.fromSeq ?? 1) - 1);
  const step = query.newestFirst ? -1 : 1;
  const start = query.newestFirst ? events.length - 1 : first;
  for (let i = start; i >= first && i < events.length && found.length < limit; i += step) {
    const stored = events[i] as StoredEvent;
    if (isWanted(stored, query)) found.push(stored);
  }
  return found;
}

function isWanted({ stream, atMs, event }: StoredEvent, query: EventQuery): boolean {
  if (query.stream !== undefined && stream !== query.stream) return false;
  if (query.task !== undefined && (!('task' in event) || event.task !== query.task)) return false;
  if (query.types && !query.types.includes(event.type)) return false;
  if (query.sinceMs !== undefined && atMs < query.sinceMs) return false;
  return query.untilMs === undefined || atMs <= query.untilMs;
}
