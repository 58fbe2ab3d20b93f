import type { Action } from '../model/action.ts';
import type { Leftover } from '../model/facts.ts';
import { getTaskResource, type SeenWorkers, type World } from '../model/world.ts';
import type { Attempt, Stage } from '../state/attempt.ts';
import { getRecovery } from '../state/leftover.ts';
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
      return { type: 'adopt', task: attempt.task, fence: isHeld ? lease.fence : null, reason };
    }
  }
  if (world.backlogBlob !== state.backlog?.blob) return { type: 'sync' };
  return null;
}

/** Why an attempt's worker no longer has it, or null while it does. */
export function getLossReason(attempt: Attempt, state: State, world: SeenWorkers): string | null {
  if (attempt.worker === world.self || attempt.stage === 'queued') return null;
  const gone = getGoneReason(attempt, state, world);
  if (gone !== null) return gone;
  const lease = world.leases.find(l => l.resource === getTaskResource(attempt.task));
  if (!lease) return `worker ${attempt.worker} gave up its lease`;
  if (lease.expiresAtMs <= world.nowMs) return `the lease of worker ${attempt.worker} ran out`;
  return null;
}

function getGoneReason({ worker }: Attempt, { workers }: State, world: SeenWorkers): string | null {
  if (!workers.has(worker)) return `worker ${worker} has stopped`;
  return world.workers.get(worker) === 'dead' ? `worker ${worker} is dead` : null;
}

/** What will be done about one attempt whose worker is gone, and why. */
export interface RecoveryStep {
  readonly task: string;
  readonly attempt: number;
  readonly stage: Stage;
  readonly lost: string;
  readonly action: string;
  readonly reason: string;
}

/** What the next run will put right before it starts anything, in its order. */
export function getRecoveryPlan(
  state: State,
  world: SeenWorkers,
  leftovers: ReadonlyMap<string, Leftover>,
): RecoveryStep[] {
  return [...state.active.values()].flatMap(attempt => {
    const isQueued = attempt.stage === 'queued';
    const lost = isQueued ? getGoneReason(attempt, state, world) : getLossReason(attempt, state, world);
    if (lost === null) return [];
    const { task, number, stage } = attempt;
    return [{ task, attempt: number, stage, lost, ...getNext(attempt, leftovers.get(task) ?? null) }];
  });
}

/** One row per stage that a kill can leave an attempt in. */
function getNext(
  attempt: Attempt,
  left: Leftover | null,
): { readonly action: string; readonly reason: string } {
  switch (attempt.stage) {
    case 'leased':
    case 'prepared':
    case 'ready':
      return { action: 'begin again', reason: 'no agent had begun' };
    case 'in-session':
      return getNextOfSession(left);
    case 'session-over':
    case 'candidate':
      if (attempt.agent.outcome === 'interrupted') return getNextOfSession(left);
      if (attempt.agent.outcome === 'claimed')
        return { action: 'judge', reason: 'the agent had claimed that it is done' };
      return { action: 'close', reason: `the session had ended: ${attempt.agent.outcome}` };
    case 'judged':
      if (attempt.judged?.verdict.word === 'proven') return { action: 'land', reason: 'it was proven' };
      return { action: 'close', reason: `the verdict was ${attempt.judged?.verdict.word}` };
    case 'queued':
      return { action: 'land', reason: 'it was proven, and waits to land' };
    case 'landing':
      return { action: 'land', reason: 'it was landing: found in the history, or landed now, once' };
  }
}

function getNextOfSession(left: Leftover | null): { readonly action: string; readonly reason: string } {
  if (left === null) return { action: 'look', reason: 'what the session left has to be looked at' };
  const { action, reason } = getRecovery(left);
  return {
    action: action === 'again' ? 'begin again' : 'judge',
    reason: `the session was cut off; ${reason}`,
  };
}
