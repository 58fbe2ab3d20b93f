import type { Action } from './action.ts';
import type { Policy } from './policy.ts';
import type { State } from './state.ts';
import type { RunScope, World } from './world.ts';

/**
 * What follows when nothing is left to take. Everything landed is looked at as a whole before it is said; a
 * run that maintains stays, looks again when the tip has moved, and takes what is added or opened again.
 */
export function getEnd(state: State, world: World, policy: Policy, scope: RunScope): Action {
  const { maintains, onlyTask } = scope;
  const why = getReason(state);
  if (onlyTask !== null) return { type: 'stop', why };
  const { checked } = state;
  if (why === 'all-done' && checked?.commit !== world.tip) {
    const dueAtMs = maintains && checked ? checked.atMs + policy.limits.healthMs : 0;
    if (world.nowMs >= dueAtMs) return { type: 'check-all' };
    return wait(dueAtMs - world.nowMs);
  }
  if (maintains) return wait(policy.limits.healthMs);
  return { type: 'stop', why: why === 'all-done' && checked?.broken.length ? 'broken-tip' : why };
}

/** New work is looked for this often at least. */
const LOOK_AGAIN_MS = 5_000;

function wait(ms: number): Action {
  return { type: 'wait', ms: Math.min(ms, LOOK_AGAIN_MS), why: 'nothing to do: waiting for changes' };
}

function getReason(state: State): 'all-done' | 'nothing-ready' | 'empty-backlog' {
  if (state.tasks.size === state.counts.removed) return 'empty-backlog';
  const open = state.tasks.size - state.counts.landed - state.counts.removed;
  return open === 0 ? 'all-done' : 'nothing-ready';
}
