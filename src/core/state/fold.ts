import type { HarnessEvent, StoredEvent } from '../model/event.ts';
import { applyAttemptEvent } from './apply-attempt.ts';
import { applyAdded, applyBacklogSync } from './apply-backlog.ts';
import { noteUnexplained } from './apply-baseline.ts';
import { applyAnswer, applyControl, applyDrop, applyHandedIn, applyOverride } from './apply-person.ts';
import { applyPlanner } from './apply-planner.ts';
import { applyMaxFileLines } from './apply-quality.ts';
import { applyAnswered, applyAsked, applyRaised, closeQuestions } from './apply-question.ts';
import { addToQuarantine, observeBaseline } from './flaky.ts';
import { applyReopened } from './regression.ts';
import { createState, type State } from './state.ts';
import { IllegalMove, moveTask } from './task-moves.ts';

/** State is nothing but the events, replayed. */
export function fold(events: Iterable<StoredEvent>): State {
  const state = createState();
  for (const stored of events) apply(state, stored);
  return state;
}

/** Applies one recorded event in place and returns the tasks whose index rows may have changed. */
export function apply(state: State, stored: StoredEvent): Set<string> {
  const touched = new Set<string>();
  applyEvent(state, stored.event, stored.atMs, touched);
  state.version = stored.version;
  state.seq = stored.seq;
  state.updatedAtMs = stored.atMs;
  if (state.createdAtMs === 0) state.createdAtMs = stored.atMs;
  return touched;
}

function applyEvent(state: State, event: HarnessEvent, atMs: number, touched: Set<string>): void {
  switch (event.type) {
    case 'backlog.synced':
      applyBacklogSync(state, event, touched);
      closeQuestions(state, ({ kind }) => kind === 'cycle');
      return;
    case 'worker.started':
      state.workers.set(event.worker.id, event.worker);
      state.budgetUsd = event.budgetUsd ?? state.budgetUsd;
      applyMaxFileLines(state, event.maxFileLines);
      return;
    case 'worker.stopped':
      state.workers.delete(event.workerId);
      return;
    case 'baseline.measured':
      noteUnexplained(state, event);
      state.baseline = {
        tree: event.tree,
        passing: event.passing,
        failing: event.failing,
        session: state.sessions,
        atMs,
      };
      observeBaseline(state.quarantine, event, atMs);
      return;
    case 'test.quarantined':
      addToQuarantine(state.quarantine, event, atMs);
      return;
    case 'checkpoints.pruned':
      pruneCheckpoints(state, event.ids);
      return;
    case 'task.reset':
      resetTask(state, event, touched);
      return;
    case 'provider.failed':
      state.providers.set(event.provider, event);
      return;
    case 'planner.spent':
    case 'planner.ended':
      applyPlanner(state, event);
      return;
    case 'control.changed':
      applyControl(state, event);
      return;
    case 'task.reopened':
      applyReopened(state, event, atMs, touched);
      return;
    case 'task.added':
      applyAdded(state, event, touched);
      return;
    case 'cleanup.requested':
      state.cleanup = { ...state.cleanup, requested: true };
      return;
    case 'project.checked':
      state.checked = { commit: event.commit, tree: event.tree, broken: event.broken, atMs };
      state.unlooked = 0;
      closeQuestions(state, ({ kind }) => kind === 'all-done-red');
      return;
    case 'task.blocked':
      blockTask(state, event, touched);
      return;
    case 'question.asked':
      applyAsked(state, event, atMs, touched);
      return;
    case 'question.answered':
      applyAnswered(state, event, touched);
      return;
    case 'work.handed-in':
      applyHandedIn(state, event, touched);
      return;
    case 'budget.raised':
      applyRaised(state, event, touched);
      return;
    case 'human.answered':
      applyAnswer(state, event, touched);
      return;
    case 'task.overridden':
      applyOverride(state, event, touched);
      return;
    case 'drop.taken':
      applyDrop(state, event);
      return;
    case 'note.added':
      return;
    case 'attempt.started':
    case 'attempt.taken-over':
    case 'attempt.prepared':
    case 'preflight.passed':
    case 'preflight.failed':
    case 'session.started':
    case 'session.spent':
    case 'session.ended':
    case 'candidate.taken':
    case 'candidate.rebased':
    case 'verdict.given':
    case 'attempt.sent-back':
    case 'test.judged':
    case 'test.authored':
    case 'landing.started':
    case 'task.landed':
    case 'attempt.ended':
      applyAttemptEvent(state, event, atMs, touched);
  }
}

function blockTask(
  state: State,
  { task: id, reason }: Extract<HarnessEvent, { type: 'task.blocked' }>,
  touched: Set<string>,
): void {
  const task = state.tasks.get(id);
  if (!task) return;
  if (state.active.has(id)) throw new IllegalMove(id, task.status, 'blocked');
  task.setAside = reason;
  moveTask(state, task, 'blocked', touched);
  // Somebody has decided: there is nothing left to ask.
  state.unasked.delete(id);
  if (task.question !== null) state.questions.delete(task.question);
  task.question = null;
}

function resetTask(
  state: State,
  { task: id, dropWork }: Extract<HarnessEvent, { type: 'task.reset' }>,
  touched: Set<string>,
): void {
  const task = state.tasks.get(id);
  if (!task) return;
  const last = task.history.at(-1);
  if (dropWork && last) task.history.splice(-1, 1, { ...last, wip: null });
  task.stuck = 0;
  task.attempts = 0;
  task.interruptions = 0;
  task.authorAttempts = 0;
  task.last = null;
  task.held = null;
  task.answer = null;
  task.handedInBy = null;
  task.override = null;
  moveTask(state, task, 'pending', touched);
}

function pruneCheckpoints(state: State, ids: readonly string[]): void {
  const gone = new Set(ids);
  const left = state.checkpoints.filter(({ checkpoint }) => !gone.has(checkpoint.id));
  state.checkpoints.splice(0, state.checkpoints.length, ...left);
}
