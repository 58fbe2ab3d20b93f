import type { Action } from '../model/action.ts';
import { getProviders, type Policy } from '../model/policy.ts';
import { getSessionRole } from '../model/role.ts';
import type { RunScope, World } from '../model/world.ts';
import { getDueQuestion, getRefusal, getSettledQuestion } from '../people/due-question.ts';
import type { Attempt, Stage } from '../state/attempt.ts';
import { getStartWip } from '../state/attempt.ts';
import { getReserve } from '../state/costs.ts';
import { GATE } from '../state/gates.ts';
import { isRecovered } from '../state/leftover.ts';
import { getOwnAttempt } from '../state/merge-queue.ts';
import { isCrowded } from '../state/provider-trouble.ts';
import type { State } from '../state/state.ts';
import { canGoWithoutAgent } from '../state/task-state.ts';
import { getDueCleanup } from './cleanup.ts';
import { getDueGate, getOutdatedRelease } from './gates.ts';
import { decideQueue, hasBatch, mustWaitForQueue } from './merge-queue.ts';
import { reconcile } from './recovery.ts';
import { isTidy } from './retry.ts';
import { findWriter } from './same-files.ts';
import { canSendBack, hasMoney } from './send-back.ts';
import {
  getEnd,
  getStop,
  getStopReason,
  isAtOnce,
  isAwaitingLanes,
  isLookOverdue,
  isOver,
  isPerhapsReached,
  isStopRequested,
} from './stopping.ts';

/** How long to wait for other workers before looking again. */
const WAIT_MS = 1_000;
/** Long waits are looked at now and then, in case a person wants something else. */
const LOOK_AGAIN_MS = 30_000;

const BEFORE_SESSION: ReadonlySet<Stage> = new Set(['leased', 'prepared', 'ready']);

/**
 * The next thing to do, from the recorded state alone. A fix round, a retry, a continuation and crash
 * recovery are all this same question asked again; there is no loop inside a loop.
 */
export function decide(state: State, world: World, policy: Policy, scope: RunScope): Action {
  const outdated = getOutdatedRelease(state, world);
  if (outdated) return outdated;
  const pause = getPause(state, world);
  if (pause) return pause;
  // Before it takes anything else upon itself: all that is queued waits for it.
  if (hasBatch(state, world)) return { type: 'land-batch' };
  const repair = reconcile(state, world);
  if (repair) return repair;
  const mine = getOwnAttempt(state, world.self);
  if (mine) {
    // Whoever wants no session wants what is under way brought to rest.
    const onlyRecovers = scope.maxSessions === 0;
    const needsAgent = BEFORE_SESSION.has(mine.stage) && !mine.resumes;
    if (onlyRecovers && needsAgent) return { type: 'close', task: mine.task };
    // Others went over what was kept for them while this one was prepared.
    if (mine.stage === 'ready' && !hasMoney(state, mine, policy)) return { type: 'close', task: mine.task };
    const goesBack = !onlyRecovers && !isStopRequested(state, world) && canSendBack(state, mine, policy);
    const role = getSessionRole(mine.startWip, state.tasks.get(mine.task)?.def, mine.isAuthor);
    const next = getNextStep(
      state,
      mine,
      getProvider(getProviders(policy, role), state, world, scope),
      goesBack,
    );
    // Nobody is kept waiting for a provider who was told to stop, or whose time is over.
    if (next.type !== 'wait' || !isOver({ state, world, policy, scope })) return next;
    return { type: 'close', task: mine.task };
  }
  const landing = decideQueue(state, world, policy);
  if (landing) return landing;
  const settled = getSettledQuestion(state, policy);
  if (settled) return { type: 'withdraw', ...settled };
  const question = getDueQuestion(state, policy, scope, world);
  if (question) return { type: 'ask', question };
  const standing = { state, world, policy, scope };
  const why = getStopReason(standing);
  const asksGates =
    scope.onlyTask === null && scope.maxSessions !== 0 && !scope.isLookUnderWay && !isAtOnce(why);
  const gate = asksGates ? getDueGate(state, world, policy) : null;
  if (gate) return gate;
  if (!why && isPerhapsReached(standing)) return AWAIT_LANES;
  const next: Action = why ? { type: 'stop', why } : pickTask(state, world, policy, scope);
  if (next.type === 'check-all' && scope.isLookUnderWay) return AWAIT_LANES;
  if (next.type !== 'stop') return next;
  return isAwaitingLanes(next.why, scope) ? AWAIT_LANES : getStop(state, world, scope, next.why);
}

const AWAIT_LANES: Action = { type: 'wait', ms: WAIT_MS, why: 'other lanes are at work' };

/**
 * Whoever is at work when a pause is called waits between two steps, however long; who comes later does
 * not begin. A landing that has begun is brought to its end.
 */
function getPause(state: State, world: World): Action | null {
  const { control } = state.people;
  if (control.mode !== 'paused' && !world.pauseRequested) return null;
  const mine = getOwnAttempt(state, world.self);
  if (mine?.stage === 'landing') return null;
  // Nobody waits for a person to take it: others end what they have under way, and the run ends.
  if (control.by === GATE)
    return mine ? null : { type: 'stop', why: state.gates.released ? 'released' : 'paused' };
  const isNew = control.mode === 'paused' ? !control.workers.has(world.self) : world.pausedBefore;
  if (isNew && !mine) return { type: 'stop', why: 'paused' };
  if (world.stopRequested && !mine) return null;
  return { type: 'wait', ms: WAIT_MS, why: 'paused: harness resume goes on' };
}

/** One row per stage: the pipeline, read from left to right. */
function getNextStep(state: State, attempt: Attempt, provider: Provider, goesBack: boolean): Action {
  const { task } = attempt;
  switch (attempt.stage) {
    case 'leased':
      return { type: attempt.resumes ? 'resume-held' : 'prepare', task };
    case 'prepared':
      return attempt.preflightFailure ? { type: 'close', task } : { type: 'preflight', task };
    case 'ready':
      return typeof provider === 'string' ? { type: 'session', task, provider } : provider;
    case 'in-session':
      return { type: 'interrupt', task };
    case 'session-over':
      return { type: 'snapshot', task };
    case 'candidate':
      if (attempt.resumes?.override) return { type: 'land', task };
      if (isRecovered(attempt)) return { type: 'verify', task };
      if (attempt.agent.outcome !== 'claimed' || isTidy(state.tasks.get(task), attempt))
        return { type: 'close', task };
      return { type: attempt.isAuthor ? 'accept-test' : 'verify', task };
    case 'judged':
      if (attempt.judged?.verdict.word === 'proven' && !attempt.isAuthor) return { type: 'land', task };
      return { type: goesBack ? 'send-back' : 'close', task };
    case 'queued':
    case 'landing':
      return { type: 'land', task };
  }
}

function pickTask(state: State, world: World, policy: Policy, scope: RunScope): Action {
  const { onlyTask } = scope;
  if (isLookOverdue(state, policy) && !scope.isLookUnderWay) return { type: 'check-all' };
  const busy = getMachineWait(state, world);
  if (busy) return busy;
  const cleanup = onlyTask === null ? getDueCleanup(state, policy) : null;
  if (cleanup) return { type: 'add', def: cleanup };
  const next = getNext(state, onlyTask);
  if (next !== null && mustWaitForQueue(state, next))
    return { type: 'wait', ms: WAIT_MS, why: `task ${next} has the merge queue to itself` };
  const writer = next === null ? null : findWriter(state, next);
  if (writer !== null) return { type: 'wait', ms: WAIT_MS, why: `task ${writer} writes the same files` };
  const chosen = state.tasks.get(next ?? '');
  if (next !== null && chosen && canGoWithoutAgent(chosen)) return { type: 'lease', task: next };
  if (next !== null) {
    const role = getSessionRole(getStartWip(chosen?.history ?? []), chosen?.def);
    const provider = getProvider(getProviders(policy, role), state, world, scope);
    return typeof provider === 'string' ? takeOrBlock(state, next, policy) : provider;
  }
  const othersAtWork = state.active.size > 0;
  if (othersAtWork && onlyTask === null)
    return { type: 'wait', ms: WAIT_MS, why: 'other workers are at work' };
  return getEnd(state, world, policy, scope);
}

/** Where memory runs short, fewer work at once; what is under way comes to its end. */
function getMachineWait({ active }: State, { machine }: World): Action | null {
  if (!machine || machine.atOnce === null) return null;
  const atWork = [...active.values()].filter(({ stage }) => stage !== 'queued').length;
  if (atWork >= machine.atOnce) return { type: 'wait', ms: WAIT_MS, why: machine.why };
  if (machine.isOver) return { type: 'stop', why: 'machine' };
  return machine.atOnce > 1 ? null : { type: 'wait', ms: LOOK_AGAIN_MS, why: machine.why };
}

/** The first in the queue that writes nothing of what is being written; the one that was asked for, if it can be had. */
function getNext(state: State, onlyTask: string | null): string | null {
  if (onlyTask !== null) return state.ready.rankOf(onlyTask) !== null ? onlyTask : null;
  return state.ready.peek(id => findWriter(state, id) !== null || mustWaitForQueue(state, id));
}

/** The provider to work with, or what to do while there is none. */
type Provider = string | Extract<Action, { type: 'wait' | 'stop' }>;

function getProvider(names: readonly string[], state: State, world: World, scope: RunScope): Provider {
  let earliestMs = Number.POSITIVE_INFINITY;
  for (const name of names) {
    if (scope.halted.has(name)) continue;
    const untilMs = state.trouble.providers.get(name)?.untilMs ?? 0;
    if (untilMs <= world.nowMs && isCrowded(state, name, world.nowMs))
      return { type: 'wait', ms: WAIT_MS, why: `${name} takes no more agents at once` };
    if (untilMs <= world.nowMs) return name;
    earliestMs = Math.min(earliestMs, untilMs);
  }
  if (earliestMs === Number.POSITIVE_INFINITY) {
    const why = [...scope.halted.values()].includes('auth') ? 'auth' : 'provider';
    return { type: 'stop', why };
  }
  const ms = Math.min(earliestMs - world.nowMs, LOOK_AGAIN_MS);
  return { type: 'wait', ms, why: `waiting for a provider until ${earliestMs}` };
}

function takeOrBlock(state: State, id: string, policy: Policy): Action {
  const task = state.tasks.get(id);
  const question = task && getRefusal(state, task, policy);
  if (question) return { type: 'ask', question };
  if (task && getReserve(policy, state, task) === null)
    return { type: 'wait', ms: WAIT_MS, why: 'what is left of the budget is kept for those at work' };
  return { type: 'lease', task: id };
}
