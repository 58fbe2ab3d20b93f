import type { Leftover } from '../model/facts.ts';
import type { Attempt } from './attempt.ts';

/** What becomes of it: judged like a claim, or gone on from where the session started. */
export interface Recovery {
  readonly action: 'judge' | 'again';
  readonly reason: string;
}

const ROWS: readonly (Recovery & { readonly changed: boolean; readonly steps: boolean })[] = [
  { changed: false, steps: false, action: 'again', reason: 'it had not changed anything' },
  { changed: false, steps: true, action: 'again', reason: 'none of the steps it had recorded left a trace' },
  { changed: true, steps: false, action: 'judge', reason: 'what it left may be all that was needed' },
  {
    changed: true,
    steps: true,
    action: 'judge',
    reason: 'what it left, step by step, may be all that was needed',
  },
];

/** The recovery matrix: one row for each thing that can be found after a session was cut off. */
export function getRecovery(left: Leftover): Recovery {
  const row = ROWS.find(({ changed, steps }) => changed === left.changed && steps === left.steps > 0);
  return row as Recovery;
}

/** Whether an attempt's leftover is put to the checks, though nobody has claimed that it is done. */
export function isRecovered(attempt: Attempt): boolean {
  return attempt.left !== null && !attempt.isAuthor && getRecovery(attempt.left).action === 'judge';
}
