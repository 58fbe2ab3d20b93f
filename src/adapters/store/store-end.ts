import type { IndexRow } from '../../ports/index.ts';
import type { LeaseRow } from './lease-actions.ts';
import type { EventColumns } from './schema.ts';

/** An event as every engine keeps it, with its number. */
export interface PlainEvent extends EventColumns {
  readonly seq: number;
}

/** Everything beside the events. */
export interface Rest {
  readonly leases: readonly LeaseRow[];
  readonly rows: readonly IndexRow[];
  readonly summary: string;
  /** As the port gives and takes them. */
  readonly cache: readonly (readonly [key: string, value: string])[];
  readonly meta: readonly (readonly [key: string, value: string])[];
  /** The time of the store: it goes on from there. */
  readonly nowMs: number;
}

/**
 * One of two stores between which records are moved, in a transaction that keeps every other writer waiting. What is
 * done through it counts when the work that was given it ends well, and not at all otherwise.
 */
export interface StoreEnd {
  /** What people are told, and what the other end keeps when this one has the records. */
  readonly where: string;
  readonly events: number;
  /** Where its records went, if they did. */
  readonly movedTo: string | null;
  readEvents(afterSeq: number, limit: number): Promise<readonly PlainEvent[]>;
  readRest(): Promise<Rest>;
  putEvents(events: readonly PlainEvent[]): Promise<void>;
  /** Over what is there; of two fences of a resource the greater stays. */
  putRest(rest: Rest): Promise<void>;
  setMoved(to: string | null): Promise<void>;
}

export type WithEnd = <T>(work: (end: StoreEnd) => Promise<T>) => Promise<T>;
