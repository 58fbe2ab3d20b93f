import type { StoredEvent } from '../events/event.ts';

/** What a saved state begins with: all but its tasks, and which parts hold those. */
export interface SavedHead {
  /** The rules by which it was folded; by others, the same events may give another state. */
  readonly fold: string;
  /** The event that it ends with: in another log it means nothing. */
  readonly mark: string;
  readonly seq: number;
  readonly rest: unknown;
  readonly closed: readonly ClosedPart[];
  /** Parts whose tasks have neither landed nor been removed: these are read at once. */
  readonly open: readonly string[];
  /** Who depends on what is no task. */
  readonly missing: readonly (readonly [id: string, dependents: readonly string[]])[];
}

/** Tasks that have landed or been removed; their part is the same until one of them changes. */
export interface ClosedPart {
  readonly name: string;
  readonly ids: readonly string[];
  /** The place of each among all tasks. */
  readonly places: readonly number[];
  /** The rows of those that others depend on. */
  readonly needed: readonly number[];
}

/** A line of a part: what is known of a task, and who depends on it. */
export type ClosedRow = readonly [task: unknown, dependents: readonly string[] | null];

/** The same with its place among all tasks, and in the queue. */
export type OpenRow = readonly [...ClosedRow, place: number, rank: string | null];

/** Tells an event from any other that could have its number. */
export function getMark({ seq, version, atMs, event }: StoredEvent): string {
  const text = JSON.stringify(event);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return [seq, version, atMs, event.type, text.length, hash >>> 0].join(' ');
}
