import { canMove, type TaskDef, type TaskStatus } from '../model/task.ts';
import { closeQuestions } from './people.ts';
import type { State } from './state.ts';
import type { TaskState } from './task-state.ts';
import { getReadyRank } from './task-state.ts';

/** The one place where a task changes status; keeps counts, ready set and blocked counts in step. */
export function moveTask(state: State, task: TaskState, to: TaskStatus, touched: Set<string>): void {
  const from = task.status;
  if (from === to) {
    refreshReady(state, task, touched);
    return;
  }
  if (!canMove(from, to)) throw new IllegalMove(task.def.id, from, to);
  const wasDead = isDead(task);
  task.status = to;
  if (isOpen(task)) state.open.set(task.def.id, task);
  else state.open.delete(task.def.id);
  if (task.landed?.unproven && !task.landed.unproven.satisfied)
    state.unproven += Number(to === 'landed') - Number(from === 'landed');
  if (to === 'pending') task.landed = null;
  if (to === 'landed') task.reopened = null;
  if (to !== 'blocked') task.blockedReason = null;
  keepQuestion(state, task);
  if (isCounted(task.def)) {
    state.counts[from]--;
    state.counts[to]++;
  }
  if (from === 'landed' || to === 'landed') shiftUnmet(state, task.def.id, to === 'landed' ? -1 : 1, touched);
  if (isDead(task) !== wasDead) shiftDead(state, task.def.id, wasDead ? -1 : 1, touched);
  refreshReady(state, task, touched);
}

/** Whether anything can still become of it by itself. */
function isOpen({ status }: TaskState): boolean {
  return status !== 'landed' && status !== 'removed';
}

/** Whether it is a task of somebody's; what the harness adds to tidy up is none. */
export function isCounted({ kind }: TaskDef): boolean {
  return kind !== 'cleanup';
}

/** How many tasks there are, whatever has become of them. */
export function getTotal({ counts }: Pick<State, 'counts'>): number {
  const { removed: _, ...listed } = counts;
  return Object.values(listed).reduce((sum, count) => sum + count, 0);
}

/** Only a task that came to a stop is asked about; once it is on its way again there is nothing to answer. */
function keepQuestion(state: State, task: TaskState): void {
  const { status } = task;
  const { question } = task.people;
  if (status !== 'blocked')
    closeQuestions(state.people, ({ kind, about }) => kind === 'skipped' && about?.[0] === task.def.id);
  if (status === 'failed' || status === 'blocked') {
    if (question === null) state.people.unasked.add(task.def.id);
    return;
  }
  state.people.unasked.delete(task.def.id);
  if (question !== null) state.people.questions.delete(question);
  task.people.question = null;
}

/** Recomputes a task's place in the queue after anything that may have changed it. */
export function refreshReady(state: State, task: TaskState, touched: Set<string>): void {
  state.ready.set(task.def.id, getReadyRank(task));
  touched.add(task.def.id);
}

/** A recorded event that the table of legal moves forbids: the history has been tampered with. */
export class IllegalMove extends Error {
  constructor(id: string, from: TaskStatus, to: TaskStatus) {
    super(`task ${id} cannot go from ${from} to ${to}`);
    this.name = 'IllegalMove';
  }
}

/** Nothing that depends on a dead task can run until a person steps in. */
export function isDead(task: TaskState): boolean {
  if (task.status === 'failed' || task.status === 'blocked') return true;
  return (task.status === 'pending' || task.status === 'retry') && task.deadDeps > 0;
}

function shiftUnmet(state: State, id: string, by: 1 | -1, touched: Set<string>): void {
  for (const dependentId of state.dependents.get(id) ?? []) {
    const dependent = state.tasks.get(dependentId);
    if (!dependent) continue;
    dependent.unmet += by;
    refreshReady(state, dependent, touched);
  }
}

/** Tells the dependents of a task that it died or came back, as far down as that matters; chains may be long. */
export function shiftDead(state: State, id: string, by: 1 | -1, touched: Set<string>): void {
  const changed = [id];
  for (let next = changed.pop(); next !== undefined; next = changed.pop()) {
    for (const dependentId of state.dependents.get(next) ?? []) {
      const dependent = state.tasks.get(dependentId);
      if (!dependent) continue;
      const wasDead = isDead(dependent);
      dependent.deadDeps += by;
      touched.add(dependentId);
      if (isDead(dependent) !== wasDead) changed.push(dependentId);
    }
  }
}
