import type { Action, StopReason } from '../model/action.ts';
import type { Policy } from '../model/policy.ts';
import type { RunScope, World } from '../model/world.ts';
import type { State } from '../state/state.ts';

/**
 * What follows when nothing is left to take. All that has landed is looked at as a whole before it is said; a
 * run that maintains stays, looks again when the tip has moved, and takes what is added or opened again.
 */
export function getEnd(state: State, world: World, policy: Policy, scope: RunScope): Action {
  const { maintains, onlyTask } = scope;
  const why = getReason(state);
  if (onlyTask !== null) return { type: 'stop', why };
  const { checked } = state.suite;
  if (state.counts.landed > 0 && checked?.commit !== world.tip) {
    const dueAtMs = maintains && checked ? checked.atMs + policy.limits.healthMs : 0;
    if (world.nowMs >= dueAtMs) return { type: 'check-all' };
    return wait(dueAtMs - world.nowMs);
  }
  if (maintains) return wait(policy.limits.healthMs);
  return { type: 'stop', why: why === 'all-done' && checked?.broken.length ? 'broken-tip' : why };
}

/** Who is told to stop, or has no ground to stand on, looks at nothing more. */
const AT_ONCE: ReadonlySet<StopReason> = new Set(['asked', 'environment', 'paused']);

/** However a run ends, nothing that has landed is left without a look; nearly all of it is known by then. */
export function getStop(state: State, world: World, scope: RunScope, why: StopReason): Action {
  const isLookDue = state.counts.landed > 0 && state.suite.checked?.commit !== world.tip;
  if (!isLookDue || AT_ONCE.has(why) || scope.maxSessions === 0) return { type: 'stop', why };
  return { type: 'check-all' };
}

/** Whether so many landings came without a full look that it is due in the middle of a run. */
export function isLookOverdue({ suite }: State, { regression }: Policy): boolean {
  return suite.unlooked >= regression.interval;
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
