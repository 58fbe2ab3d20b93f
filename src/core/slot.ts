import type { State } from './state.ts';

/** The lowest slot no attempt is using, so that worktrees are reused and never shared. */
export function getFreeSlot({ active }: State): number {
  const taken = new Set([...active.values()].map(attempt => attempt.slot));
  let slot = 1;
  while (taken.has(slot)) slot++;
  return slot;
}
