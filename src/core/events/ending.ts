import { getShortRef } from '../base/short-ref.ts';
import { getFirstLine, getShortCommit } from '../base/text.ts';
import type { SessionNote } from '../model/agent-event.ts';
import type { AttemptOutcome, AttemptRef, ErrorCategory } from '../model/facts.ts';
import type { TaskStatus } from '../model/task.ts';
import { isEnvironmentFault } from '../model/verdict.ts';
import {
  type Attempt,
  type HeldWork,
  isHeldUp,
  mayLand,
  type PastAttempt,
  type PastSession,
} from '../state/attempt.ts';
import { isInProvenBatch } from '../state/merge-queue.ts';
import { countProgress } from '../state/progress.ts';
import { addLandedQuality } from '../state/quality.ts';
import type { State } from '../state/state.ts';
import { moveTask } from '../state/task-moves.ts';
import type { TaskState } from '../state/task-state.ts';
import { getBlockedLines } from './dependency-lines.ts';
import type { AttemptScope, EventTable } from './kind.ts';

/** How an attempt comes to an end: what landed is landed, everything else is remembered for the next one. */
export type EndingEvent =
  | (AttemptRef & { readonly type: 'landing.started'; readonly commit: string; readonly onto: string })
  | (AttemptRef & {
      readonly type: 'task.landed';
      readonly commit: string;
      readonly ref: string;
    })
  | (AttemptRef & AttemptEnding & { readonly type: 'attempt.ended' });

interface AttemptEnding {
  readonly outcome: AttemptOutcome;
  readonly reason: string;
  readonly category: ErrorCategory | null;
  /** The work of this attempt, kept under a ref whatever became of it. */
  readonly wip: string | null;
  readonly findings: readonly string[];
  /** The provider could not be had: as if it had never been tried. */
  readonly unavailable?: boolean;
  /** It was proven, and does not go together with what landed meanwhile: no fault of its own. */
  readonly collided?: true;
  /** Files in which it conflicted. */
  readonly conflicts?: readonly string[];
  /** It was open again because of a later change, and another one has fixed that. */
  readonly restored?: true;
}

const LANDED: AttemptEnding = {
  outcome: 'landed',
  reason: 'landed',
  category: null,
  wip: null,
  findings: [],
};

export const ENDING_EVENTS: EventTable<EndingEvent> = {
  'landing.started': {
    level: 'routine',
    advance({ attempt }, { task, commit }) {
      if (!mayLand(attempt)) throw new Error(`task ${task} was to land without a proven verdict`);
      attempt.stage = 'landing';
      attempt.landing = commit;
    },
  },
  'task.landed': {
    level: 'important',
    line: ({ task, commit, ref }) => `✔ task ${task} landed as ${commit.slice(0, 10)} on ${getShortRef(ref)}`,
    progress: ({ task, commit }) => [`Completed [${task}] (commit ${getShortCommit(commit)})`],
    advance(scope, event) {
      if (!mayLand(scope.attempt))
        throw new Error(`task ${event.task} was recorded as landed without a proven verdict`);
      if (scope.attempt.stage === 'queued' && !isInProvenBatch(scope.state, event))
        throw new Error(`task ${event.task} was recorded as landed with no proven batch`);
      land(scope, event);
      finish(scope, LANDED);
      moveTask(scope.state, scope.task, 'landed', scope.touched);
    },
  },
  'attempt.ended': {
    level: 'important',
    line: ({ task, outcome, reason }) =>
      outcome === 'tidy' ? `✔ ${task}: ${reason}` : `✘ task ${task}: ${outcome}: ${getFirstLine(reason)}`,
    progress: getEndingLines,
    decision: ({ outcome, category, reason }) => ({ type: 'attempt_ended', outcome, category, reason }),
    advance(scope, event) {
      const { state, task, attempt, atMs, touched } = scope;
      if (!event.collided && !isInterruption(attempt, event)) countProgress(state, task, attempt, event);
      finish(scope, event);
      if (event.collided) task.collisions++;
      if (event.conflicts) task.contested = [...new Set([...task.contested, ...event.conflicts])];
      task.failedAtMs = atMs;
      if (event.restored && task.reopened) {
        task.landed = task.reopened.landed;
        state.suite.checked = null;
      } else if (!event.collided) countEnding(scope, event);
      moveTask(state, task, event.restored ? 'landed' : getStatusAfter(task, event.outcome), touched);
    },
  },
};

function getEndingLines(event: AttemptRef & AttemptEnding, state: State): string[] {
  const task = `[${event.task}]`;
  const category = event.category ? ` [${event.category}]` : '';
  const kept = event.wip ? ` (work kept as ${getShortCommit(event.wip)})` : '';
  if (event.outcome === 'tidy') return [`CHECKPOINT ${task} ${event.reason}`];
  if (event.outcome === 'partial') return [`WARN ${task}${category} ${event.reason}${kept}`];
  const past = state.tasks.get(event.task)?.history.findLast(a => a.number === event.attempt);
  const commit = past?.checkpoint ? getShortCommit(past.checkpoint.commit) : 'base';
  const ended = [`ERROR ${task}${category} ${event.reason}`, `ROLLBACK ${task} to ${commit}${kept}`];
  return [...ended, ...getBlockedLines(state, event.task)];
}

function land(
  { state, task, attempt }: AttemptScope,
  { commit, ref }: { commit: string; ref: string },
): void {
  const unproven = attempt.resumes?.override;
  const files = Object.entries(attempt.candidate?.lines ?? {}).flatMap(([path, n]) =>
    n === null ? [] : [path],
  );
  task.landed = { commit, ref, attempt: attempt.number, files, ...(unproven ? { unproven } : {}) };
  task.collisions = 0;
  task.contested = [];
  if (task.def.kind !== 'cleanup') state.landings++;
  if (leftProofs(attempt)) state.suite.unlooked++;
  state.recent.lastLanded = { task: attempt.task, commit, session: attempt.session };
  state.trouble.stuckCount = 0;
  addLandedQuality(state.quality, attempt);
  task.people.contextFiles = [];
}

/** Whether there was no time to run all that proved earlier tasks, or some of it was red before. */
function leftProofs({ judged }: Attempt): boolean {
  return (judged?.checks.find(({ check }) => check === 'pass-to-pass')?.measures?.left ?? 0) > 0;
}

/** The attempt becomes a part of its task's history. */
function finish({ state, task, attempt, atMs }: AttemptScope, ending: AttemptEnding): void {
  task.history.push(getPast(attempt, ending, atMs));
  if (attempt.resumes) task.people.override = null;
  if (attempt.resumes?.by !== undefined) task.people.submittedBy = null;
  task.held = ending.outcome === 'landed' ? null : getHeld(attempt, ending.outcome);
  state.active.delete(task.def.id);
  // A sync leaves active tasks alone: what it said about this one has to be read again.
  if (state.backlog?.blob !== attempt.backlogBlob) state.backlog = null;
}

function getPast(attempt: Attempt, ending: AttemptEnding, endedAtMs: number): PastAttempt {
  const { number, session, checkpoint, rejections } = attempt;
  const { outcome, reason, category, findings, wip } = ending;
  return {
    number,
    session,
    outcome,
    reason,
    category,
    findings,
    wip,
    sessionNote: addNotes(attempt.agent.sessionNote, attempt.candidate?.notes),
    question: outcome === 'needs-human' ? attempt.agent.question : null,
    ...(attempt.resumes?.by === undefined ? {} : { by: attempt.resumes.by }),
    ...(attempt.preflightFailure?.satisfied ? { satisfied: true } : {}),
    ...(attempt.preflightFailure?.unprovable ? { unprovable: true } : {}),
    endedAtMs,
    checkpoint,
    rejections,
    ran: getPastSession(attempt.agent),
  };
}

function getPastSession({
  outcome,
  role,
  startedAtMs,
  endedAtMs,
  usage,
}: Attempt['agent']): PastSession | null {
  if (startedAtMs === null || endedAtMs === null || outcome === null) return null;
  return { outcome, role, startedAtMs, endedAtMs, usage };
}

/** What an agent wrote into the notes reaches whoever goes on, although the notes themselves stay as they were. */
function addNotes(sessionNote: SessionNote | null, notes: readonly string[] | undefined): SessionNote | null {
  if (!notes || notes.length === 0) return sessionNote;
  const note = sessionNote ?? {
    phase: 'not said',
    completed: [],
    next_step: 'see the notes',
    critical_files: [],
    memory_notes: '',
  };
  const memory_notes = [note.memory_notes, ...notes].filter(text => text !== '').join(' / ');
  return { ...note, memory_notes: memory_notes.slice(0, 4_000) };
}

function getHeld(attempt: Attempt, outcome: AttemptOutcome): HeldWork | null {
  const { number, base, baseTree, candidate, judged } = attempt;
  if (!candidate || attempt.isAuthor) return null;
  const isAsked = outcome === 'needs-human' && judged?.verdict.word === 'needs-human';
  // A check that could not be carried out takes nothing back from what a person has said.
  const isUnsettled = attempt.resumes?.override === null && judged?.verdict.word === 'inconclusive';
  return { attempt: number, base, baseTree, candidate, awaitsPerson: isAsked || isUnsettled };
}

/** What counts against the limits of the task and of the run. */
function countEnding({ state, task, attempt }: AttemptScope, ending: AttemptEnding): void {
  const hasAuthored = attempt.isAuthor && task.authored?.attempt === attempt.number;
  const isPersons = attempt.resumes?.by !== undefined;
  if (isHeldUp(attempt) || attempt.preflightFailure?.category === 'DEPENDENCY') return;
  if (!hasAuthored && !isPersons && attempt.agent.outcome !== 'asked') countAttempt(task, attempt, ending);
  if (!hasAuthored && !isPersons && isStuck(task, attempt, ending)) state.trouble.stuckCount++;
}

/** Whether its own task is what it failed at: not the environment, the provider or whoever stopped it; nor a clean-up. */
function isStuck(task: TaskState, attempt: Attempt, ending: AttemptEnding): boolean {
  if (ending.outcome === 'needs-human' || task.def.kind === 'cleanup') return false;
  return !isInterruption(attempt, ending);
}

function countAttempt(task: TaskState, attempt: Attempt, ending: AttemptEnding): void {
  if (attempt.agent.outcome === 'unavailable') return;
  if (isInterruption(attempt, ending)) task.interruptions++;
  else if (attempt.isAuthor) task.authorAttempts++;
  else {
    task.attempts++;
    task.stuck = ending.outcome === 'partial' && task.def.kind !== 'loop' ? task.stuck + 1 : 0;
  }
}

/** Whether it was cut off from outside, never came to begin or could not be judged: that says nothing about the task. */
function isInterruption(attempt: Attempt, { outcome, category }: AttemptEnding): boolean {
  const { outcome: session } = attempt.agent;
  if (isHeldUp(attempt)) return true;
  if (session === 'unavailable') return true;
  if (isEnvironmentFault(attempt.judged)) return true;
  const isCutOff = session === 'interrupted' || session === null || category === 'ENV_SETUP';
  return outcome === 'partial' && isCutOff;
}

/** Where a task stands after an attempt that did not land. */
function getStatusAfter(task: TaskState, outcome: AttemptOutcome): TaskStatus {
  // A clean-up that came to nothing is dropped: nobody waits for it.
  if (task.def.kind === 'cleanup')
    return task.attempts > 0 || outcome === 'needs-human' ? 'removed' : 'retry';
  if (outcome === 'needs-human') return 'blocked';
  return task.attempts >= task.def.maxAttempts ? 'failed' : 'retry';
}
