import type { State } from './state.ts';

/** What every clean-up is for. */
export const CLEANUP_TITLE = 'Clean up the code without changing what it does';

/** As much of the state as tells when tidying is due; the index keeps it. */
export interface CleanupOutlook {
  /** What the next one is called. */
  readonly id: string;
  /** Tasks that have landed since the last one was begun. */
  readonly since: number;
  /** A person wants one. */
  readonly requested: boolean;
  /** The last one is not over yet. */
  readonly isOpen: boolean;
}

/** When the next one will be due, as far as the record tells. */
export function getCleanupOutlook(state: State): CleanupOutlook {
  const { added, landings, requested } = state.cleanup;
  const since = state.landings - landings;
  return { id: getCleanupId(added + 1), since, requested, isOpen: getOpenCleanup(state) !== null };
}

/** Whether the next thing to be begun is a clean-up that is not there yet. */
export function isCleanupDue({ since, requested, isOpen }: CleanupOutlook, interval: number | null): boolean {
  if (isOpen || interval === null) return false;
  return requested || (interval > 0 && since >= interval);
}

/** The clean-up that has begun, or could; null where there is none. */
export function getOpenCleanup({ tasks, cleanup }: State): string | null {
  const id = getCleanupId(cleanup.added);
  const status = tasks.get(id)?.status;
  return status === 'pending' || status === 'retry' || status === 'active' ? id : null;
}

/** Clean-ups are numbered from 1. */
export function getCleanupId(number: number): string {
  return `cleanup-${number}`;
}
