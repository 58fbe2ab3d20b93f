import type { Action } from './action.ts';
import type { Attempt } from './attempt.ts';
import type { Policy } from './policy.ts';
import { reconcile } from './reconcile.ts';
import type { State } from './state.ts';
import type { RunScope, World } from './world.ts';

/** How long to wait for other workers before looking again. */
const WAIT_MS = 1_000;

/**
 * The next thing to do, from the recorded state alone. A fix round, a retry, a continuation and crash
 * recovery are all this same question asked again; there is no loop inside a loop.
 */
export function decide(state: State, world: World, policy: Policy, scope: RunScope): Action {
  const repair = reconcile(state, world);
  if (repair) return repair;
  const mine = [...state.active.values()].find(attempt => attempt.worker === world.self);
  if (mine) return getNextStep(mine);
  return getStop(state, world, policy, scope) ?? pickTask(state, world, policy, scope);
}

/** One row per stage: the corridor, read from left to right. */
function getNextStep(attempt: Attempt): Action {
  const { task } = attempt;
  switch (attempt.stage) {
    case 'leased':
      return { type: 'prepare', task };
    case 'prepared':
      return attempt.preflightFailure ? { type: 'close', task } : { type: 'preflight', task };
    case 'ready':
      return { type: 'session', task };
    case 'in-session':
      return { type: 'interrupt', task };
    case 'session-over':
      return { type: 'snapshot', task };
    case 'candidate':
      return attempt.sessionOutcome === 'claimed' ? { type: 'verify', task } : { type: 'close', task };
    case 'judged':
      return attempt.verdict?.word === 'proven' ? { type: 'land', task } : { type: 'close', task };
    case 'landing':
      return { type: 'land', task };
  }
}

function getStop(state: State, world: World, policy: Policy, scope: RunScope): Action | null {
  if (world.stopRequested) return { type: 'stop', why: 'asked' };
  if (scope.environmentBroken) return { type: 'stop', why: 'environment' };
  if (scope.maxSessions !== null && scope.endedAttempts >= scope.maxSessions) {
    return { type: 'stop', why: 'session-limit' };
  }
  if (state.usage.costUsd >= policy.budget.totalUsd && state.ready.size > 0)
    return { type: 'stop', why: 'budget' };
  return null;
}

function pickTask(state: State, world: World, policy: Policy, scope: RunScope): Action {
  const { onlyTask } = scope;
  const next =
    onlyTask === null ? state.ready.peek() : state.ready.rankOf(onlyTask) !== null ? onlyTask : null;
  if (next !== null) return takeOrBlock(state, next, policy);
  const othersAtWork = [...state.active.values()].some(attempt => attempt.worker !== world.self);
  if (othersAtWork && onlyTask === null)
    return { type: 'wait', ms: WAIT_MS, why: 'other workers are at work' };
  if (state.tasks.size === state.counts.removed) return { type: 'stop', why: 'empty-backlog' };
  const open = state.tasks.size - state.counts.landed - state.counts.removed;
  return { type: 'stop', why: open === 0 ? 'all-done' : 'nothing-ready' };
}

function takeOrBlock(state: State, id: string, policy: Policy): Action {
  const task = state.tasks.get(id);
  if (task && task.usage.costUsd >= policy.budget.perTaskUsd) {
    const spent = task.usage.costUsd.toFixed(2);
    return {
      type: 'block',
      task: id,
      reason: `spent $${spent}, over its budget of $${policy.budget.perTaskUsd}`,
    };
  }
  if (task && task.interruptions >= policy.maxInterruptions) {
    return {
      type: 'block',
      task: id,
      reason: `interrupted ${task.interruptions} times without coming to an end`,
    };
  }
  return { type: 'lease', task: id };
}
