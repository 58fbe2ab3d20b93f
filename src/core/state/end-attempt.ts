import type { StepEvent } from '../model/attempt-event.ts';
import type { AttemptOutcome } from '../model/facts.ts';
import type { TaskStatus } from '../model/task.ts';
import type { Handoff } from '../model/tool-entry.ts';
import { isGroundFault } from '../model/verdict.ts';

import { applyLandedQuality } from './apply-quality.ts';
import type { Attempt, HeldWork } from './attempt.ts';
import { mayLand } from './attempt.ts';
import { isEmptyTurn } from './objective.ts';
import { countProgress } from './progress.ts';
import type { State } from './state.ts';
import type { TaskState } from './task-state.ts';

type AttemptEnded = Extract<StepEvent, { type: 'attempt.ended' }>;

/** Closes an attempt: what landed is landed, everything else is remembered for the next one. */
export function endAttempt(
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
    const files = Object.entries(attempt.candidate?.lines ?? {}).flatMap(([path, n]) =>
      n === null ? [] : [path],
    );
    task.landed = { commit, ref, attempt: event.attempt, files, ...(unproven ? { unproven } : {}) };
    task.reopened = null;
    if (task.def.kind !== 'cleanup') state.landings++;
    if (leftProofs(attempt)) state.unlooked++;
    state.lastLanded = { task: event.task, commit: event.commit, session: attempt.session };
    state.stuckCount = 0;
    applyLandedQuality(state, attempt);
    task.drops = [];
    const ending = { outcome: 'landed', reason: 'landed', category: null, wip: null, findings: [] } as const;
    finish(state, task, attempt, ending, atMs);
    return;
  }
  if (!isInterruption(task, attempt, event)) countProgress(state, task, attempt, event);
  finish(state, task, attempt, event, atMs);
  task.failedAtMs = atMs;
  if (event.restored && task.reopened) {
    task.landed = task.reopened.landed;
    task.reopened = null;
    state.checked = null;
    return;
  }
  const hasAuthored = attempt.isAuthor && task.authored?.attempt === attempt.number;
  const isPersons = attempt.takesUp?.by !== undefined;
  if (attempt.preflightFailure?.satisfied) return;
  if (!hasAuthored && !isPersons && attempt.sessionOutcome !== 'asked') countAttempt(task, attempt, event);
  if (event.outcome !== 'needs-human' && !hasAuthored) state.stuckCount++;
}

/** Whether there was no time to run all that proved earlier tasks, or some of it was red before. */
function leftProofs({ checks }: Attempt): boolean {
  return (checks.find(({ check }) => check === 'pass-to-pass')?.measures?.left ?? 0) > 0;
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
    handoff: addNotes(attempt.handoff, attempt.candidate?.notes),
    question: ending.outcome === 'needs-human' ? attempt.question : null,
    ...(attempt.takesUp?.by === undefined ? {} : { by: attempt.takesUp.by }),
    ...(attempt.preflightFailure?.satisfied ? { satisfied: true as const } : {}),
    endedAtMs: atMs,
    checkpoint: attempt.checkpoint,
    rejections: attempt.rejections,
  });
  if (attempt.takesUp) task.override = null;
  if (attempt.takesUp?.by !== undefined) task.handedInBy = null;
  task.held = ending.outcome === 'landed' ? null : getHeld(attempt, ending.outcome);
  state.active.delete(task.def.id);
  // A sync leaves active tasks alone: what it said about this one has to be read again.
  if (state.backlog?.blob !== attempt.backlogBlob) state.backlog = null;
}

function getHeld(attempt: Attempt, outcome: AttemptOutcome): HeldWork | null {
  const { number, base, baseTree, candidate, verdict } = attempt;
  if (!candidate || attempt.isAuthor) return null;
  const isAsked = outcome === 'needs-human' && verdict?.word === 'needs-human';
  // A check that could not be carried out takes nothing back from what a person has said.
  const isUnsettled = attempt.takesUp?.override === null && verdict?.word === 'inconclusive';
  const awaitsPerson = isAsked || isUnsettled;
  return { attempt: number, base, baseTree, candidate, awaitsPerson };
}

function countAttempt(task: TaskState, attempt: Attempt, ending: Ending): void {
  if (attempt.sessionOutcome === 'unavailable') return;
  if (isInterruption(task, attempt, ending)) task.interruptions++;
  else if (attempt.isAuthor) task.authorAttempts++;
  else {
    task.attempts++;
    task.stuck = ending.outcome === 'partial' && task.def.kind !== 'loop' ? task.stuck + 1 : 0;
  }
}

/** Whether it was cut off from outside, never came to begin or could not be judged: that says nothing about the task. */
function isInterruption({ def }: TaskState, attempt: Attempt, { outcome, category }: Ending): boolean {
  const { sessionOutcome: session } = attempt;
  if (attempt.preflightFailure?.satisfied) return true;
  if (session === 'unavailable' || isEmptyTurn(def, attempt)) return true;
  if (isGroundFault(attempt.verdict, attempt.checks)) return true;
  const isCutOff = session === 'interrupted' || session === null || category === 'ENV_SETUP';
  return outcome === 'partial' && isCutOff;
}

/** Where a task stands after an attempt that did not land. */
export function getStatusAfter(task: TaskState, outcome: AttemptOutcome): TaskStatus {
  // A clean-up that came to nothing is dropped: nobody waits for it.
  if (task.def.kind === 'cleanup')
    return task.attempts > 0 || outcome === 'needs-human' ? 'removed' : 'retry';
  if (outcome === 'needs-human') return 'blocked';
  return task.attempts >= task.def.maxAttempts ? 'failed' : 'retry';
}

/** What an agent wrote into the notes reaches whoever goes on, although the notes themselves stay as they were. */
export function addNotes(handoff: Handoff | null, notes: readonly string[] | undefined): Handoff | null {
  if (!notes || notes.length === 0) return handoff;
  const word = handoff ?? {
    phase: 'not said',
    completed: [],
    next_step: 'see the notes',
    critical_files: [],
    memory_notes: '',
  };
  const memory_notes = [word.memory_notes, ...notes].filter(text => text !== '').join(' / ');
  return { ...word, memory_notes: memory_notes.slice(0, 4_000) };
}
