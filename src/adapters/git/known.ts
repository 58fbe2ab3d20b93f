import type { FileChange } from '../../ports.ts';

/** Facts about commits named by their ids: they never change, so they are worked out once. */
export interface Known {
  /** By `older newer`. */
  readonly ancestors: Map<string, boolean>;
  /** By `from to`. */
  readonly changes: Map<string, readonly FileChange[]>;
}

const MAX_ENTRIES = 100;

export function createKnown(): Known {
  return { ancestors: new Map(), changes: new Map() };
}

/** Adds a fact; the oldest goes when there are too many. */
export function remember<T>(facts: Map<string, T>, key: string, fact: T): void {
  const [oldest] = facts.keys();
  if (facts.size >= MAX_ENTRIES && oldest !== undefined) facts.delete(oldest);
  facts.set(key, fact);
}
