import { HarnessError } from '../base/failure.ts';
import type { State } from '../state/state.ts';

/** The lowest slot no attempt is using, so that worktrees are reused and never shared. */
export function getFreeSlot({ active }: State): number {
  const working = [...active.values()].filter(({ stage }) => stage !== 'queued');
  const taken = new Set(working.map(attempt => attempt.slot));
  let slot = 1;
  while (taken.has(slot)) slot++;
  return slot;
}

/** The worktree of an attempt is not there any more: somebody cleared the cache, or it is another repository's. */
export class SlotLost extends HarnessError {
  constructor(dir: string, why = "was removed (the harness's cache was cleared)") {
    super('environment', `the worktree ${dir} ${why}`, {
      file: dir,
      fix: 'run harness again: the task is begun anew, and nothing is charged',
    });
  }
}
