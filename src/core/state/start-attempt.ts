import type { AttemptStarted } from '../model/attempt-event.ts';
import { getSessionRole } from '../model/role.ts';
import { NO_USAGE } from '../model/usage.ts';
import type { Attempt } from './attempt.ts';
import type { State } from './state.ts';
import { moveTask } from './task-moves.ts';
import type { TaskState } from './task-state.ts';

/** A task becomes active, with an attempt that has everything before it. */
export function startAttempt(
  state: State,
  task: TaskState,
  event: AttemptStarted,
  touched: Set<string>,
): void {
  if (state.active.has(event.task) || event.attempt <= task.started) {
    throw new Error(`attempt ${event.attempt} of task ${event.task} was started twice`);
  }
  const attempt: Attempt = {
    task: event.task,
    number: event.attempt,
    session: event.session,
    slot: event.slot,
    base: event.base,
    baseTree: event.baseTree,
    firstBase: event.base,
    backlogBlob: state.backlog?.blob ?? null,
    startWip: event.wip,
    takesUp: event.takesUp ?? null,
    worker: event.worker,
    stage: 'leased',
    dir: null,
    checkpoint: null,
    provider: null,
    role: getSessionRole(event.wip, event.author, task.def.kind),
    spent: NO_USAGE,
    left: null,
    sessionOutcome: event.takesUp ? 'claimed' : null,
    sessionSummary: '',
    handoff: null,
    question: null,
    preflightFailure: null,
    candidate: null,
    shownTree: null,
    verdict: null,
    judged: null,
    landing: null,
    proof: null,
    checks: [],
    isAuthor: event.author === true,
    tests: event.author ? {} : (task.authored?.files ?? {}),
    evidence: null,
    rejections: [],
    round: 0,
    feedback: null,
    agentSession: null,
    contextShare: 0,
    costUsd: 0,
  };
  if (state.lastSession && state.lastSession.task !== event.task) state.stuckCount = 0;
  task.started = event.attempt;
  state.sessions = Math.max(state.sessions, event.session);
  state.active.set(event.task, attempt);
  moveTask(state, task, 'active', touched);
}
