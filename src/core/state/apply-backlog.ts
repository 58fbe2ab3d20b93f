import type { HarnessEvent } from '../model/event.ts';
import type { TaskDef } from '../model/task.ts';
import { NO_USAGE } from '../model/usage.ts';
import type { State } from './state.ts';
import { isDead, moveTask, refreshReady, shiftDead } from './task-moves.ts';
import type { TaskState } from './task-state.ts';

type BacklogSynced = Extract<HarnessEvent, { type: 'backlog.synced' }>;

/** Brings tasks in step with the committed backlog. */
export function applyBacklogSync(state: State, event: BacklogSynced, touched: Set<string>): void {
  state.backlog = { commit: event.commit, blob: event.blob };
  state.project = event.project;
  for (const def of event.upserted) upsert(state, def);
  for (const def of event.upserted) rewire(state, def, touched);
  for (const id of event.removed) move(state, id, 'removed', touched);
  for (const id of event.accepted) {
    const task = state.tasks.get(id);
    if (task) task.landed ??= { commit: null, ref: null, attempt: 0 };
    move(state, id, 'landed', touched);
  }
  for (const id of event.reopened) move(state, id, 'pending', touched);
}

function move(state: State, id: string, to: 'removed' | 'landed' | 'pending', touched: Set<string>): void {
  const task = state.tasks.get(id);
  if (task && task.status !== 'active') moveTask(state, task, to, touched);
}

function upsert(state: State, def: TaskDef): void {
  const known = state.tasks.get(def.id);
  if (!known) {
    state.tasks.set(def.id, createTask(def));
    state.counts.pending++;
    return;
  }
  for (const dependency of known.def.dependsOn) state.dependents.get(dependency)?.delete(def.id);
  // A test was written for what the task said then.
  if (getWords(known.def) !== getWords(def)) known.authored = null;
  known.def = def;
}

function getWords({ title, testFile, verificationSteps }: TaskDef): string {
  return JSON.stringify([title, testFile, verificationSteps]);
}

/** Counts a task's dependencies afresh; the only place that looks at all of them. */
function rewire(state: State, def: TaskDef, touched: Set<string>): void {
  const task = state.tasks.get(def.id) as TaskState;
  const isGivenMore = task.status === 'failed' && task.attempts < def.maxAttempts;
  if (task.status === 'removed' || isGivenMore) moveTask(state, task, 'pending', touched);
  const wasDead = isDead(task);
  task.unmet = 0;
  task.deadDeps = 0;
  for (const dependency of new Set(def.dependsOn)) {
    const dependents = state.dependents.get(dependency) ?? new Set();
    state.dependents.set(dependency, dependents.add(def.id));
    const other = state.tasks.get(dependency);
    if (other?.status !== 'landed') task.unmet++;
    if (other && isDead(other)) task.deadDeps++;
  }
  if (isDead(task) !== wasDead) shiftDead(state, def.id, wasDead ? -1 : 1, touched);
  refreshReady(state, task, touched);
}

type TaskAdded = Extract<HarnessEvent, { type: 'task.added' }>;

/** Work that the harness was given beside the backlog. */
export function applyAdded(state: State, { def }: TaskAdded, touched: Set<string>): void {
  upsert(state, def);
  rewire(state, def, touched);
  if (def.kind === 'cleanup')
    state.cleanup = { added: state.cleanup.added + 1, landings: state.landings, requested: false };
}

function createTask(def: TaskDef): TaskState {
  return {
    def,
    status: 'pending',
    attempts: 0,
    interruptions: 0,
    authored: null,
    authorAttempts: 0,
    rounds: 0,
    setAside: null,
    started: 0,
    failedAtMs: 0,
    landed: null,
    held: null,
    answer: null,
    override: null,
    handedInBy: null,
    question: null,
    answers: [],
    drops: [],
    waived: new Set(),
    stuck: 0,
    raisedToUsd: 0,
    history: [],
    last: null,
    reopened: null,
    usage: NO_USAGE,
    sessions: 0,
    unmet: 0,
    deadDeps: 0,
  };
}
