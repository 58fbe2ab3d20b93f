import type { AttemptEvent, StepEvent } from '../model/attempt-event.ts';
import type { Rejection } from '../model/facts.ts';
import type { PromptType } from '../model/role.ts';
import type { Usage } from '../model/usage.ts';
import { addUsage, NO_USAGE, subtractUsage } from '../model/usage.ts';
import { isGroundFault } from '../model/verdict.ts';
import { closeQuestions } from './apply-question.ts';
import { type Attempt, getWorkTree, mayLand } from './attempt.ts';
import { endAttempt, getStatusAfter } from './end-attempt.ts';
import { startAttempt } from './start-attempt.ts';
import type { State } from './state.ts';
import { moveTask } from './task-moves.ts';
import type { TaskState } from './task-state.ts';

/** Moves an attempt along the corridor, one recorded step at a time. */
export function applyAttemptEvent(
  state: State,
  event: AttemptEvent,
  atMs: number,
  touched: Set<string>,
): void {
  const task = state.tasks.get(event.task);
  if (!task) throw new Error(`event ${event.type} names task ${event.task}, which is not in the backlog`);
  touched.add(event.task);
  if (event.type === 'attempt.started') {
    startAttempt(state, task, event, touched);
    return;
  }
  const attempt = state.active.get(event.task);
  if (!attempt || attempt.number !== event.attempt) {
    throw new Error(
      `event ${event.type} names attempt ${event.attempt} of task ${event.task}, which is not under way`,
    );
  }
  if (event.type === 'task.landed' || event.type === 'attempt.ended') {
    endAttempt(state, task, attempt, event, atMs);
    moveTask(
      state,
      task,
      event.type === 'task.landed' || event.restored ? 'landed' : getStatusAfter(task, event.outcome),
      touched,
    );
  } else advance(state, task, attempt, event, atMs);
}

/** Sets the stage that each step's event stands for. */
function advance(state: State, task: TaskState, attempt: Attempt, event: StepEvent, atMs: number): void {
  switch (event.type) {
    case 'attempt.taken-over':
      attempt.worker = event.worker;
      return;
    case 'attempt.prepared':
      attempt.stage = 'prepared';
      attempt.dir = event.dir;
      attempt.checkpoint = event.checkpoint;
      state.checkpoints.push({
        task: event.task,
        attempt: event.attempt,
        atMs,
        checkpoint: event.checkpoint,
      });
      return;
    case 'preflight.passed':
      attempt.stage = 'ready';
      state.broken = null;
      closeQuestions(state, ({ kind }) => kind === 'sanity' || kind === 'reset');
      return;
    case 'preflight.failed':
      if (event.category === 'ENV_SETUP')
        state.broken = { task: event.task, attempt: event.attempt, reason: event.reason };
      attempt.preflightFailure = {
        reason: event.reason,
        category: event.category,
        mended: event.mended ?? false,
        satisfied: event.satisfied ?? false,
      };
      return;
    case 'session.started':
      attempt.stage = 'in-session';
      state.sessionStartedAtMs = atMs;
      attempt.provider = event.provider;
      attempt.role = event.prompt;
      return;
    case 'session.spent':
      spend(state, task, event.role ?? attempt.role, event.usage);
      if (event.role === undefined) attempt.spent = addUsage(attempt.spent, event.usage);
      return;
    case 'session.ended':
      endSession(state, task, attempt, event, atMs);
      return;
    case 'candidate.taken':
      attempt.stage = 'candidate';
      attempt.candidate = event;
      attempt.left = event.left ?? null;
      attempt.shownTree = event.tree;
      return;
    case 'candidate.rebased':
      attempt.stage = 'candidate';
      attempt.base = event.base;
      attempt.baseTree = event.baseTree;
      attempt.verdict = null;
      attempt.judged = null;
      attempt.proof = null;
      if (attempt.candidate)
        attempt.candidate = { ...attempt.candidate, commit: event.commit, tree: event.tree };
      return;
    case 'verdict.given':
      attempt.stage = 'judged';
      attempt.verdict = event.verdict;
      attempt.judged = { tree: event.tree, base: event.base, atMs };
      attempt.proof = event.proof;
      attempt.checks = event.checks;
      if (isGroundFault(event.verdict, event.checks)) {
        const { task: id, attempt: number, verdict } = event;
        state.broken = { task: id, attempt: number, reason: `${verdict.decidedBy}: ${verdict.reason}` };
      }
      for (const { usage } of event.checks) if (usage) spend(state, task, 'review', usage, 1);
      attempt.rejections = [...attempt.rejections, ...getRejections(event)];
      return;
    case 'test.judged':
      attempt.stage = 'judged';
      attempt.verdict = event.verdict;
      attempt.judged = { tree: event.tree, base: event.base, atMs };
      attempt.checks = event.checks;
      return;
    case 'test.authored':
      task.authored = { commit: event.commit, files: event.files, attempt: event.attempt };
      return;
    case 'attempt.sent-back':
      sendBack(task, attempt, event);
      return;
    case 'landing.started':
      if (!mayLand(attempt)) throw new Error(`task ${event.task} was to land without a proven verdict`);
      attempt.stage = 'landing';
      attempt.landing = event.commit;
      return;
    case 'task.landed':
    case 'attempt.ended':
      return;
  }
}

function getRejections(event: VerdictGiven): readonly Rejection[] {
  const { word, decidedBy } = event.verdict;
  const failing = event.checks.find(({ check }) => check === decidedBy)?.failing ?? [];
  if (word !== 'rejected' || failing.length === 0) return [];
  return [{ attempt: event.attempt, kind: decidedBy === 'fail-to-pass' ? 'own' : 'older', failing }];
}

/** The attempt stands where it stood before its session, and knows what was wrong with the last one. */
function sendBack(task: TaskState, attempt: Attempt, event: SentBack): void {
  if (attempt.stage !== 'judged' || attempt.verdict?.word !== 'rejected')
    throw new Error(`task ${event.task} was sent back without having been rejected`);
  const { reason, findings, round } = event;
  attempt.feedback = { reason, findings, tree: getWorkTree(attempt) };
  attempt.stage = 'ready';
  attempt.round = round;
  attempt.sessionOutcome = null;
  attempt.spent = NO_USAGE;
  attempt.verdict = null;
  attempt.judged = null;
  attempt.proof = null;
  task.rounds++;
}

type VerdictGiven = Extract<StepEvent, { type: 'verdict.given' }>;
type SentBack = Extract<StepEvent, { type: 'attempt.sent-back' }>;
type SessionEnded = Extract<StepEvent, { type: 'session.ended' }>;

function endSession(
  state: State,
  task: TaskState,
  attempt: Attempt,
  event: SessionEnded,
  atMs: number,
): void {
  attempt.stage = 'session-over';
  attempt.sessionOutcome = event.outcome;
  attempt.sessionSummary = event.summary;
  attempt.handoff = event.handoff ?? null;
  attempt.question = event.question ?? null;
  attempt.agentSession = event.agentSession ?? null;
  attempt.contextShare = event.contextShare ?? 0;
  attempt.evidence = event.evidence ?? null;
  attempt.costUsd += event.usage.costUsd;
  spend(state, task, attempt.role, subtractUsage(event.usage, attempt.spent), 1);
  task.sessions++;
  const decided = (event.decisions ?? []).map(text => ({ session: event.session, task: event.task, text }));
  state.decisions = [...state.decisions, ...decided].slice(-MAX_DECISIONS);
  if (event.outcome !== 'unavailable' && attempt.provider) state.providers.delete(attempt.provider);
  state.lastSession = {
    session: event.session,
    task: event.task,
    outcome: event.outcome,
    summary: event.summary,
    usage: event.usage,
    role: attempt.role,
    startedAtMs: atMs - event.durationMs,
    endedAtMs: atMs,
  };
}

/** As many as anybody is ever told. */
const MAX_DECISIONS = 10;

function spend(state: State, task: TaskState, role: PromptType, usage: Usage, sessions = 0): void {
  const before = state.byRole.get(role) ?? { usage: NO_USAGE, sessions: 0 };
  state.byRole.set(role, { usage: addUsage(before.usage, usage), sessions: before.sessions + sessions });
  task.usage = addUsage(task.usage, usage);
  state.usage = addUsage(state.usage, usage);
}
