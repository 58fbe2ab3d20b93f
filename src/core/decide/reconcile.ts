import type { Action } from '../model/action.ts';
import { getTaskResource, type SeenWorkers, type World } from '../model/world.ts';
import type { Attempt } from '../state/attempt.ts';
import type { State } from '../state/state.ts';

/**
 * Compares what is recorded with what is there, and names the first thing to put right. Recovery
 * after a crash is this and nothing else: the same question every turn, before anything is started.
 */
export function reconcile(state: State, world: World): Action | null {
  for (const attempt of state.active.values()) {
    const reason = getLossReason(attempt, state, world);
    if (reason) {
      const lease = world.leases.find(l => l.resource === getTaskResource(attempt.task));
      // One that has run out is taken as anybody may: should its holder renew it first, it stays with them.
      const isHeld = lease !== undefined && lease.expiresAtMs > world.nowMs;
      return { type: 'take-over', task: attempt.task, fence: isHeld ? lease.fence : null, reason };
    }
  }
  if (world.backlogBlob !== state.backlog?.blob) return { type: 'sync' };
  return null;
}

/** Why an attempt's worker no longer has it, or null while it does. */
export function getLossReason(attempt: Attempt, state: State, world: SeenWorkers): string | null {
  if (attempt.worker === world.self) return null;
  if (!state.workers.has(attempt.worker)) return `worker ${attempt.worker} has stopped`;
  if (world.workers.get(attempt.worker) === 'dead') return `worker ${attempt.worker} is dead`;
  const lease = world.leases.find(l => l.resource === getTaskResource(attempt.task));
  if (!lease) return `worker ${attempt.worker} gave up its lease`;
  if (lease.expiresAtMs <= world.nowMs) return `the lease of worker ${attempt.worker} ran out`;
  return null;
}
