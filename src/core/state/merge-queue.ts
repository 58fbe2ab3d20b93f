import type { AttemptRef, WorkerRef } from '../model/facts.ts';
import type { Attempt } from './attempt.ts';

/** Proven work of several workers on its way to the branch. */
export interface MergeQueue {
  /** How many batches there have been. */
  batches: number;
  /** The one that is being landed. */
  batch: Batch | null;
}

/** Work that lands together or not at all. */
export interface Batch {
  readonly number: number;
  readonly members: readonly AttemptRef[];
  worker: string;
  /** Who had it before and lost it: whatever that one left running is ended first. */
  former: WorkerRef | null;
  /** The merge that is about to land, once the suite has passed on it; found on the branch, it has. */
  commit: string | null;
}

export function createMergeQueue(): MergeQueue {
  return { batches: 0, batch: null };
}

interface WithActive {
  readonly active: ReadonlyMap<string, Attempt>;
}

/** Work that waits to land, in the order it came. */
export function getQueued({ active }: WithActive): readonly Attempt[] {
  return [...active.values()]
    .filter(({ stage }) => stage === 'queued')
    .sort((a, b) => (a.queuedAtMs ?? 0) - (b.queuedAtMs ?? 0) || a.session - b.session);
}

/** The attempt that a worker has under way; what it has queued is not its own any more. */
export function getOwnAttempt({ active }: WithActive, worker: string): Attempt | undefined {
  return [...active.values()].find(attempt => attempt.worker === worker && attempt.stage !== 'queued');
}

/** Whether the suite passed with it and all that lands with it: its own proof says nothing about the others. */
export function isInProvenBatch(
  { queue }: { readonly queue: MergeQueue },
  { task, attempt }: AttemptRef,
): boolean {
  const { batch } = queue;
  if (batch === null || batch.commit === null) return false;
  return batch.members.some(member => member.task === task && member.attempt === attempt);
}
