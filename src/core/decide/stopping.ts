import type { StopReason } from '../model/action.ts';
import type { Policy } from '../model/policy.ts';
import type { RunScope, World } from '../model/world.ts';
import { isOutOfMoney } from '../people/due-question.ts';
import { isIdle } from '../state/progress.ts';
import type { State } from '../state/state.ts';

/** All that a condition may look at. */
export interface Standing {
  readonly state: State;
  readonly world: World;
  readonly policy: Policy;
  readonly scope: RunScope;
}

type Condition = (standing: Standing) => boolean;

/**
 * Why no further attempt is begun, in the order it is asked; the first that holds is the one told. What is
 * under way comes to its end first. The rest (nothing to do, nobody to do it) shows when a task is picked.
 */
export const STOPPING: readonly (readonly [StopReason, Condition])[] = [
  ['asked', ({ state, world }) => isToldToStop(state, world)],
  ['environment', ({ scope }) => scope.environmentBroken],
  ['time', isTimeOver],
  ['session-limit', ({ scope }) => isReached(scope.endedAttempts, scope.maxSessions)],
  ['task-limit', ({ scope }) => isReached(scope.landedTasks, scope.maxTasks)],
  ['project-sessions', ({ state, policy }) => isReached(state.sessions, policy.limits.sessions)],
  ['iterations', ({ policy, scope }) => isReached(scope.fruitless, policy.limits.fruitlessAttempts)],
  ['budget', ({ state, policy }) => isOutOfMoney(state, policy)],
  ['stale', isStale],
];

/** The first condition that holds, or null while another attempt may begin. */
export function getStopReason(standing: Standing): StopReason | null {
  return STOPPING.find(([, holds]) => holds(standing))?.[0] ?? null;
}

/** A stop is meant for those who were there when it was called. */
export function isToldToStop({ people }: State, world: World): boolean {
  const { control } = people;
  return world.stopRequested || (control.mode === 'stopped' && control.workers.has(world.self));
}

/** Whether even what is under way is not worth waiting for. */
export function isOver(standing: Standing): boolean {
  return isToldToStop(standing.state, standing.world) || isTimeOver(standing);
}

function isTimeOver({ world, scope }: Standing): boolean {
  return scope.untilMs !== null && world.nowMs >= scope.untilMs;
}

function isReached(count: number, limit: number | null): boolean {
  return limit !== null && count >= limit;
}

/**
 * Everything that could be taken has come to the same end as before, as many rounds as are allowed. A run
 * that has tried nothing yet goes on: somebody wanted it to.
 */
function isStale({ state, policy, scope }: Standing): boolean {
  if (scope.endedAttempts === 0 || state.ready.size === 0) return false;
  const sessions = policy.limits.staleRounds + 1;
  if (scope.onlyTask !== null) return isIdle(state, scope.onlyTask, sessions);
  return state.ready.peek(id => isIdle(state, id, sessions)) === null;
}
