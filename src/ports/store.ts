import type { HarnessEvent, StoredEvent } from '../core/events/event.ts';

/** Proof of holding a resource: the fence grows with each acquisition, the token is random. */
export interface Lease {
  readonly resource: string;
  readonly owner: string;
  readonly fence: number;
  readonly token: string;
  readonly expiresAtMs: number;
}

/** What anyone may know of a lease; the token stays with its holder. */
export type LeaseInfo = Omit<Lease, 'token'>;

/** One row of the index that `status` and `next` read without folding events. */
export interface IndexRow {
  readonly id: string;
  readonly status: string;
  /** Null when the task cannot be taken now; otherwise its place in the queue (sorts as text). */
  readonly readyRank: string | null;
  /** What the listing shows: a JSON object. */
  readonly data: string;
}

export interface AppendRequest {
  readonly stream: string;
  /** The version the caller decided on; anything else in the store is a conflict. */
  readonly expectedVersion: number;
  readonly events: readonly HarnessEvent[];
  /** From `nowMs()`: the time these facts carry, so that folding them again gives the same state. */
  readonly atMs: number;
  /** Must be current on the store's clock, or nothing is written. */
  readonly lease?: Lease;
  /**
   * Every task that these events or their index rows depend on, where they are about attempts alone: what others have
   * appended about attempts of other tasks is then no conflict. The summary is left as it is in that case.
   */
  readonly touches?: readonly string[];
  /**
   * Takes a lease in the same transaction. `adoptedFence` names the fence of a holder that the caller
   * has seen to be dead: that lease, and only that one, is replaced before its time is up.
   */
  readonly acquire?: {
    readonly resource: string;
    readonly owner: string;
    readonly ttlMs: number;
    readonly adoptedFence?: number;
  };
  /** Gives up `lease` in the same transaction. */
  readonly release?: boolean;
  readonly index?: {
    readonly rows: readonly IndexRow[];
    readonly removed: readonly string[];
    readonly summary: string;
  };
}

export type AppendResult =
  | {
      readonly ok: true;
      readonly version: number;
      readonly seq: number;
      readonly lease: Lease | null;
      /** What others appended in between, oldest first; the caller did not know of it. */
      readonly tail: readonly StoredEvent[];
    }
  | {
      readonly ok: false;
      readonly why: 'conflict';
      readonly version: number;
      /** What the caller did not know of, oldest first; where that is much, the rest is to be read. */
      readonly tail: readonly StoredEvent[];
    }
  | { readonly ok: false; readonly why: 'fenced' }
  | { readonly ok: false; readonly why: 'held'; readonly by: LeaseInfo };

export interface EventQuery {
  readonly stream?: string;
  readonly fromSeq?: number;
  readonly task?: string;
  readonly types?: readonly string[];
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly limit?: number;
  /** Newest first when set; `limit` then keeps the newest. */
  readonly newestFirst?: boolean;
}

/** Append-only truth. Every method is one atomic command on the store's own clock. */
export interface Store {
  append(request: AppendRequest): Promise<AppendResult>;
  read(query: EventQuery): Promise<readonly StoredEvent[]>;
  acquire(
    request: NonNullable<AppendRequest['acquire']>,
  ): Promise<{ ok: true; lease: Lease } | { ok: false; by: LeaseInfo }>;
  /** Also after its time, as long as nobody else has had it since; null when somebody has: stop at once. */
  renew(lease: Lease, ttlMs: number): Promise<Lease | null>;
  release(lease: Lease): Promise<void>;
  leases(): Promise<readonly LeaseInfo[]>;
  nowMs(): Promise<number>;
  /** Results remembered by a key that names their inputs; never part of the truth. */
  cacheGet(key: string): Promise<string | null>;
  cachePut(key: string, value: string): Promise<void>;
  metaGet(key: string): Promise<string | null>;
  metaPut(key: string, value: string): Promise<void>;
  /**
   * What a fold of a stream came to, so that only later events have to be folded: a head, and the parts that it names.
   * Never part of the truth: what is damaged is not there, and nothing is lost with it.
   */
  savedGet(stream: string): Promise<Uint8Array | null>;
  /** In place of what was saved before, with every part that is not named; false where a named one is not there. */
  savedPut(stream: string, head: Uint8Array, parts: readonly string[]): Promise<boolean>;
  /** By name, as far as they are there; each is unpacked when it is asked for. */
  partsGet(stream: string, names: readonly string[]): Promise<ReadonlyMap<string, () => Uint8Array>>;
  /** The same bytes always have the same name; it counts once a head names it. */
  partPut(stream: string, body: Uint8Array): Promise<string>;
  close(): Promise<void>;
}
