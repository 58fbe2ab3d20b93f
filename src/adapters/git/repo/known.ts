import type { FileChange } from '../../../ports/index.ts';

/** Facts about commits named by their ids: they never change, so they are worked out once. */
export interface Known {
  /** By `older newer`. */
  readonly ancestors: Map<string, boolean>;
  /** By `from to`. */
  readonly changes: Map<string, readonly FileChange[]>;
  /** The files of a tree. */
  readonly files: Map<string, Promise<string[]>>;
}

const MAX_ENTRIES = 100;
/** Lists are long, and a verification asks for two trees and some that are made of them. */
export const MAX_LISTS = 8;

export function createKnown(): Known {
  return { ancestors: new Map(), changes: new Map(), files: new Map() };
}

/** Adds a fact; the oldest goes when there are too many. */
export function remember<T>(facts: Map<string, T>, key: string, fact: T, maxEntries = MAX_ENTRIES): void {
  const [oldest] = facts.keys();
  if (facts.size >= maxEntries && oldest !== undefined) facts.delete(oldest);
  facts.set(key, fact);
}
