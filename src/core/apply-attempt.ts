import { applyLandedQuality } from './apply-quality.ts';
import type { Attempt, HeldWork } from './attempt.ts';
import type { AttemptEvent, AttemptOutcome, AttemptStarted, StepEvent, Usage } from './event.ts';
import type { Rejection } from './impossible.ts';
import { getSessionRole, type PromptType } from './role.ts';
import { addUsage, NO_USAGE, type State, subtractUsage, type TaskState } from './state.ts';
import type { TaskStatus } from './task.ts';
import { moveTask } from './task-moves.ts';

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
      event.type === 'task.landed' ? 'landed' : getStatusAfter(task, event.outcome),
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
      return;
    case 'preflight.failed':
      attempt.preflightFailure = { reason: event.reason, category: event.category };
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
      return;
    case 'task.landed':
    case 'attempt.ended':
      return;
  }
}

function endAttempt(
  state: State,
  task: TaskState,
  attempt: Attempt,
  event: Extract<StepEvent, { type: 'task.landed' | 'attempt.ended' }>,
  atMs: number,
): void {
  if (event.type === 'task.landed') {
    if (!mayLand(attempt))
      throw new Error(`task ${event.task} was recorded as landed without a proven verdict`);
    const unproven = attempt.takesUp?.override;
    const { commit, ref } = event;
    task.landed = { commit, ref, attempt: event.attempt, ...(unproven ? { unproven } : {}) };
    state.landings++;
    state.lastLanded = { task: event.task, commit: event.commit, session: attempt.session };
    state.stuckCount = 0;
    applyLandedQuality(state, attempt);
    const ending = { outcome: 'landed', reason: 'landed', category: null, wip: null, findings: [] } as const;
    finish(state, task, attempt, ending, atMs);
    return;
  }
  finish(state, task, attempt, event, atMs);
  task.failedAtMs = atMs;
  const hasAuthored = attempt.isAuthor && task.authored?.attempt === attempt.number;
  if (!hasAuthored) countAttempt(task, attempt, event.outcome);
  if (event.outcome !== 'needs-human' && !hasAuthored) state.stuckCount++;
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
  attempt.feedback = { reason, findings, tree: attempt.judged?.tree ?? null };
  attempt.stage = 'ready';
  attempt.round = round;
  attempt.sessionOutcome = null;
  attempt.spent = NO_USAGE;
  attempt.verdict = null;
  attempt.judged = null;
  attempt.proof = null;
  task.rounds++;
}

/** Proven, or a person's word that will be shown as such for good. */
export function mayLand(attempt: Attempt): boolean {
  if (attempt.isAuthor) return false;
  return isProven(attempt) || (attempt.candidate !== null && Boolean(attempt.takesUp?.override));
}

/** The one question landing hangs on: proven, and proven on exactly these bytes. */
export function isProven(attempt: Attempt): boolean {
  return (
    attempt.verdict?.word === 'proven' &&
    attempt.judged !== null &&
    attempt.judged.tree === attempt.candidate?.tree
  );
}

type AttemptEnded = Extract<StepEvent, { type: 'attempt.ended' }>;
type VerdictGiven = Extract<StepEvent, { type: 'verdict.given' }>;
type SentBack = Extract<StepEvent, { type: 'attempt.sent-back' }>;
type SessionEnded = Extract<StepEvent, { type: 'session.ended' }>;

function startAttempt(state: State, task: TaskState, event: AttemptStarted, touched: Set<string>): void {
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
    role: getSessionRole(event.wip, event.author),
    spent: NO_USAGE,
    sessionOutcome: event.takesUp ? 'claimed' : null,
    sessionSummary: '',
    handoff: null,
    question: null,
    preflightFailure: null,
    candidate: null,
    shownTree: null,
    verdict: null,
    judged: null,
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

function spend(state: State, task: TaskState, role: PromptType, usage: Usage, sessions = 0): void {
  const before = state.byRole.get(role) ?? { usage: NO_USAGE, sessions: 0 };
  state.byRole.set(role, { usage: addUsage(before.usage, usage), sessions: before.sessions + sessions });
  task.usage = addUsage(task.usage, usage);
  state.usage = addUsage(state.usage, usage);
}

type Ending = Pick<AttemptEnded, 'outcome' | 'reason' | 'category' | 'wip' | 'findings'>;

function finish(state: State, task: TaskState, attempt: Attempt, ending: Ending, atMs: number): void {
  task.history.push({
    number: attempt.number,
    session: attempt.session,
    outcome: ending.outcome,
    reason: ending.reason,
    category: ending.category,
    findings: ending.findings,
    wip: ending.wip,
    handoff: attempt.handoff,
    endedAtMs: atMs,
    checkpoint: attempt.checkpoint,
    rejections: attempt.rejections,
  });
  if (attempt.takesUp) task.override = null;
  task.held = ending.outcome === 'landed' ? null : getHeld(attempt, ending.outcome);
  state.active.delete(task.def.id);
  // A sync leaves active tasks alone: what it said about this one has to be read again.
  if (state.backlog?.blob !== attempt.backlogBlob) state.backlog = null;
}

function getHeld(attempt: Attempt, outcome: AttemptOutcome): HeldWork | null {
  const { number, base, baseTree, candidate, verdict } = attempt;
  if (!candidate || attempt.isAuthor) return null;
  const isAsked = outcome === 'needs-human' && verdict?.decidedBy === 'human';
  // A check that could not be carried out takes nothing back from what a person has said.
  const isUnsettled = attempt.takesUp?.override === null && verdict?.word === 'inconclusive';
  const awaitsPerson = isAsked || isUnsettled;
  return { attempt: number, base, baseTree, candidate, awaitsPerson };
}

function countAttempt(task: TaskState, attempt: Attempt, outcome: AttemptOutcome): void {
  const { sessionOutcome: session, isAuthor } = attempt;
  if (session === 'unavailable') return;
  if (outcome === 'partial' && (session === 'interrupted' || session === null)) task.interruptions++;
  else if (isAuthor) task.authorAttempts++;
  else task.attempts++;
}

function getStatusAfter(task: TaskState, outcome: AttemptOutcome): TaskStatus {
  if (outcome === 'needs-human') return 'blocked';
  return task.attempts >= task.def.maxAttempts ? 'failed' : 'retry';
}
