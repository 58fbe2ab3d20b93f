import { type DropTaken, getDropKey } from '../model/drop.ts';
import type { HarnessEvent } from '../model/event.ts';
import type { State } from './state.ts';
import { moveTask } from './task-moves.ts';
import type { TaskState } from './task-state.ts';

type Answered = Extract<HarnessEvent, { type: 'human.answered' }>;
type HandedIn = Extract<HarnessEvent, { type: 'work.handed-in' }>;
type Overridden = Extract<HarnessEvent, { type: 'task.overridden' }>;

/** A yes lets the kept work land; a no sends it back to an agent, with the note as the finding. */
export function applyAnswer(state: State, event: Answered, touched: Set<string>): void {
  const task = getWaiting(state, event.task, event.type);
  const { held } = task;
  if (!held?.awaitsPerson || held.attempt !== event.attempt || held.candidate.tree !== event.tree) {
    throw new Error(`task ${event.task} was answered for work that nobody was asked about`);
  }
  const { tree, passed, by, note } = event;
  task.answer = { tree, passed, by, note };
  if (!passed) sendBack(task, event);
  moveTask(state, task, 'retry', touched);
}

/** The next attempt goes on from the work that was looked at. */
function sendBack(task: TaskState, { by, note }: Answered): void {
  const last = task.history.pop();
  if (!last) return;
  const reason = `${by} looked at it and said no${note ? `: ${note}` : ''}`;
  task.history.push({ ...last, outcome: 'partial', reason, findings: note ? [note] : [] });
}

export function applyOverride(state: State, event: Overridden, touched: Set<string>): void {
  const task = getWaiting(state, event.task, event.type);
  const { reason, by, workOf } = event;
  if (workOf !== null && task.held?.attempt !== workOf) {
    throw new Error(`task ${event.task} was overridden with work that is not kept`);
  }
  task.override = { reason, by, workOf };
  moveTask(state, task, 'pending', touched);
}

/** Takes the place of whatever an attempt left. */
export function applyHandedIn(state: State, event: HandedIn, touched: Set<string>): void {
  const task = getWaiting(state, event.task, event.type);
  const { base, baseTree, candidate } = event;
  task.held = { attempt: task.started + 1, base, baseTree, candidate, awaitsPerson: false };
  task.handedInBy = event.by;
  moveTask(state, task, 'pending', touched);
}

function getWaiting(state: State, id: string, type: string): TaskState {
  const task = state.tasks.get(id);
  if (!task) throw new Error(`event ${type} names task ${id}, which is not in the backlog`);
  if (task.status === 'active' || task.status === 'landed' || task.status === 'removed') {
    throw new Error(`event ${type} names task ${id}, which is ${task.status}`);
  }
  return task;
}

/** Remembered by what it says and whom for: the same file twice is once. */
export function applyDrop(state: State, event: DropTaken): void {
  state.drops.add(getDropKey(event.role, event.sha256));
  const task = event.task === null ? undefined : state.tasks.get(event.task);
  if (!task || event.how === 'refused') return;
  const { name, role, text } = event;
  task.drops = [...task.drops, { name, role, text }];
}

export function applyControl(
  state: State,
  { mode, by, reason }: Extract<HarnessEvent, { type: 'control.changed' }>,
): void {
  state.control = { mode, by, reason, workers: new Set(state.workers.keys()) };
}
