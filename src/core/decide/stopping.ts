import type { Action, StopReason } from '../model/action.ts';
import type { Policy } from '../model/policy.ts';
import { isRepair } from '../model/task.ts';
import type { RunScope, World } from '../model/world.ts';
import { isOutOfMoney } from '../people/due-question.ts';
import { isIdle } from '../state/progress.ts';
import type { State } from '../state/state.ts';
import { getTotal } from '../state/task-moves.ts';
import { canGoWithoutAgent } from '../state/task-state.ts';

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
  ['asked', ({ state, world }) => isStopRequested(state, world)],
  ['environment', ({ scope }) => scope.environmentBroken],
  ['red-base', isBaseRed],
  ['drift', ({ state }) => [...state.people.questions.values()].some(({ kind }) => kind === 'drift')],
  ['time', isTimeOver],
  ['session-limit', ({ scope }) => isReached(scope.endedAttempts, scope.maxSessions)],
  ['task-limit', ({ scope }) => isReached(scope.landedTasks, scope.maxTasks)],
  ['project-sessions', ({ state, policy }) => isReached(state.sessions, policy.limits.sessions)],
  [
    'iterations',
    ({ policy, scope }) => isReached(scope.withoutLanding, policy.limits.attemptsWithoutLanding),
  ],
  ['budget', ({ state, policy }) => isOutOfMoney(state, policy)],
  ['stale', isStale],
];

/** The first condition that holds, or null while another attempt may begin. */
export function getStopReason(standing: Standing): StopReason | null {
  return STOPPING.find(([, holds]) => holds(standing))?.[0] ?? null;
}

/**
 * Whether what other lanes have under way may bring the run to its end: another attempt on top of theirs would be
 * one too many.
 */
export function isPerhapsReached(standing: Standing): boolean {
  const { scope } = standing;
  const { underWay, endedAttempts, landedTasks, withoutLanding } = scope;
  if (underWay === 0) return false;
  const worst = {
    ...scope,
    endedAttempts: endedAttempts + underWay,
    landedTasks: landedTasks + underWay,
    withoutLanding: withoutLanding + underWay,
  };
  return getStopReason({ ...standing, scope: worst }) !== null;
}

/** Whether a lane stays although it has nothing to do: what others end with may be news to it. */
export function isAwaitingLanes(why: StopReason, { underWay, isLookUnderWay }: RunScope): boolean {
  return (underWay > 0 || isLookUnderWay) && !AT_ONCE.has(why);
}

/** Nothing is begun where the base is red, but what a person has decided and what puts it right. */
function isBaseRed({ state, world, scope }: Standing): boolean {
  const next = state.tasks.get(scope.onlyTask ?? state.ready.peek() ?? '');
  const isHeld = next !== undefined && !canGoWithoutAgent(next) && !isRepair(next.def);
  return state.suite.redBase?.commit === world.tip && isHeld;
}

/** A stop is meant for those who were there when it was called. */
export function isStopRequested({ people }: State, world: World): boolean {
  const { control } = people;
  return world.stopRequested || (control.mode === 'stopped' && control.workers.has(world.self));
}

/** Whether even what is under way is not worth waiting for. */
export function isOver(standing: Standing): boolean {
  return isStopRequested(standing.state, standing.world) || isTimeOver(standing);
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

/**
 * What follows when nothing is left to take. All that has landed is looked at as a whole before it is said; a
 * run that maintains stays, looks again when the tip has moved, and takes what is added or opened again.
 */
export function getEnd(state: State, world: World, policy: Policy, scope: RunScope): Action {
  const { maintains, onlyTask } = scope;
  const why = getReason(state);
  if (onlyTask !== null) return { type: 'stop', why };
  const { checked } = state.suite;
  if (hasLanded(state) && checked?.commit !== world.tip) {
    const dueAtMs = maintains && checked ? checked.atMs + policy.limits.healthMs : 0;
    if (world.nowMs >= dueAtMs) return { type: 'check-all' };
    return wait(dueAtMs - world.nowMs);
  }
  if (maintains) return wait(policy.limits.healthMs);
  return { type: 'stop', why: why === 'all-done' && checked?.broken.length ? 'broken-tip' : why };
}

/** Whether nothing more is looked at before that end. */
export function isAtOnce(why: StopReason | null): boolean {
  return why !== null && AT_ONCE.has(why);
}

/** Who is told to stop, or has no ground to stand on, looks at nothing more. */
const AT_ONCE: ReadonlySet<StopReason> = new Set(['asked', 'environment', 'machine', 'paused']);

/** However a run ends, nothing that has landed is left without a look; nearly all of it is known by then. */
export function getStop(state: State, world: World, scope: RunScope, why: StopReason): Action {
  const isLookDue = hasLanded(state) && state.suite.checked?.commit !== world.tip;
  if (!isLookDue || AT_ONCE.has(why) || scope.maxSessions === 0) return { type: 'stop', why };
  return { type: 'check-all' };
}

/** Whether so many landings came without a full look that it is due in the middle of a run. */
export function isLookOverdue({ suite }: State, { regression }: Policy): boolean {
  return suite.unlooked >= regression.interval;
}

/** Clean-ups are no tasks, and land all the same. */
function hasLanded({ counts, recent }: State): boolean {
  return counts.landed > 0 || recent.lastLanded !== null;
}

/** Why a run that stays waits. */
export const NOTHING_TO_DO = 'nothing to do: waiting for changes';

/** New work is looked for this often at least. */
const LOOK_AGAIN_MS = 5_000;

function wait(ms: number): Action {
  return { type: 'wait', ms: Math.min(ms, LOOK_AGAIN_MS), why: NOTHING_TO_DO };
}

function getReason(state: State): 'all-done' | 'nothing-ready' | 'empty-backlog' {
  const total = getTotal(state);
  if (total === 0) return 'empty-backlog';
  return state.counts.landed === total ? 'all-done' : 'nothing-ready';
}
