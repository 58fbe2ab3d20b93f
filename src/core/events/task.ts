import { findCycles } from '../base/graph.ts';
import { getCount, getFirstLine, getInBrackets, getShortCommit } from '../base/text.ts';
import type { TaskDef } from '../model/task.ts';
import { closeQuestions } from '../state/people.ts';
import type { State } from '../state/state.ts';
import { IllegalMove, isCounted, isDead, moveTask, refreshReady, shiftDead } from '../state/task-moves.ts';
import { createTask, type TaskState } from '../state/task-state.ts';
import { getBlockedLines } from './dependency-lines.ts';
import type { EventTable } from './kind.ts';

/** What there is to do, and what becomes of it without an attempt at it. */
export type TaskEvent =
  | { readonly type: 'task.blocked'; readonly task: string; readonly reason: string }
  | {
      readonly type: 'task.reset';
      readonly task: string;
      readonly reason: string;
      /** It begins from the base again, whatever an attempt left. */
      readonly dropWork?: true;
    }
  /** It had landed, and a later change by somebody else broke what proved it. */
  | {
      readonly type: 'task.reopened';
      readonly task: string;
      readonly reason: string;
      readonly tests: readonly string[];
    }
  /** A person wants the code cleaned up, due or not. */
  | { readonly type: 'cleanup.requested'; readonly by: string; readonly reason: string }
  /** Old attempts whose kept work is no longer kept. */
  | { readonly type: 'checkpoints.pruned'; readonly ids: readonly string[] }
  | {
      readonly type: 'backlog.synced';
      readonly commit: string;
      readonly blob: string;
      readonly project: string;
      readonly upserted: readonly TaskDef[];
      readonly removed: readonly string[];
      /** Tasks the committed backlog already says pass. */
      readonly accepted: readonly string[];
      /** Tasks that were landed and that the committed backlog now says do not pass. */
      readonly reopened: readonly string[];
      /** How often tasks that nobody here knew had been tried elsewhere. */
      readonly tried?: Readonly<Record<string, number>>;
      /** How many sessions there were before the first one here: they are numbered on from there. */
      readonly sessions?: number;
    }
  /** Work that no backlog lists: a clean-up, or an objective of `harness loop`. Said again, it takes the new words. */
  | { readonly type: 'task.added'; readonly def: TaskDef };

export const TASK_EVENTS: EventTable<TaskEvent> = {
  'task.blocked': {
    level: 'important',
    line: ({ task, reason }) => `■ task ${task} is set aside: ${reason}`,
    progress: ({ task, reason }, state) => [
      `WARN [${task}] blocked: ${reason}`,
      ...getBlockedLines(state, task),
    ],
    decision: ({ reason }) => ({ type: 'blocked', reason }),
    apply(state, { task: id, reason }, { touched }) {
      const task = state.tasks.get(id);
      if (!task) return;
      if (state.active.has(id)) throw new IllegalMove(id, task.status, 'blocked');
      task.blockedReason = reason;
      moveTask(state, task, 'blocked', touched);
      // Somebody has decided: there is nothing left to ask.
      state.people.unasked.delete(id);
      if (task.people.question !== null) state.people.questions.delete(task.people.question);
      task.people.question = null;
    },
  },
  'task.reset': {
    level: 'important',
    line: ({ task, reason }) => `  task ${task}: reset (${reason})`,
    progress: ({ task, reason }) => [`RECOVERY [${task}] action="reset" reason="${reason}"`],
    decision: ({ reason }) => ({ type: 'reset', reason }),
    apply(state, { task: id, dropWork }, { touched }) {
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
      task.people.answer = null;
      task.people.submittedBy = null;
      task.people.override = null;
      moveTask(state, task, 'pending', touched);
    },
  },
  'task.reopened': {
    level: 'important',
    line: ({ task, reason }) => `! task ${task} is open again: ${getFirstLine(reason)}`,
    progress: ({ task, reason }) => [`WARN [${task}] reopened: ${reason}`],
    decision: ({ reason, tests }) => ({ type: 'reopened', reason, tests }),
    /** It goes before all others; what depends on it waits. */
    apply(state, { task: id, reason, tests }, { atMs, touched }) {
      const task = state.tasks.get(id);
      if (task?.status !== 'landed') return;
      const last = task.history.at(-1);
      task.reopened = { reason, tests, landed: task.landed };
      task.attempts = 0;
      task.interruptions = 0;
      task.last = null;
      // The next attempt is told what is wrong the way it is told after any other.
      if (last)
        task.history.push({
          ...last,
          outcome: 'failed',
          reason,
          findings: tests,
          wip: null,
          endedAtMs: atMs,
          ran: null,
        });
      moveTask(state, task, 'pending', touched);
    },
  },
  'cleanup.requested': {
    level: 'important',
    line: ({ by, reason }) => `  ${by} asks for a clean-up${getInBrackets(getFirstLine(reason))}`,
    progress: ({ by, reason }) => [`CHECKPOINT ${by} asks for a clean-up${reason ? `: ${reason}` : ''}`],
    apply(state) {
      state.cleanup = { ...state.cleanup, requested: true };
    },
  },
  'checkpoints.pruned': {
    level: 'debug',
    apply(state, { ids }) {
      const gone = new Set(ids);
      const left = state.checkpoints.filter(({ checkpoint }) => !gone.has(checkpoint.id));
      state.checkpoints.splice(0, state.checkpoints.length, ...left);
    },
  },
  'backlog.synced': {
    level: 'important',
    line: ({ upserted }) =>
      upserted.length > 0 ? `backlog: ${getCount(upserted.length, 'task')} new or changed` : null,
    progress: ({ project, upserted, removed, commit, tried = {} }, state) => [
      `INIT Backlog of ${project}: ${getCount(upserted.length, 'task')} read, ${removed.length} removed (commit ${getShortCommit(commit)})`,
      // What failed elsewhere has no attempt here that would say so.
      ...Object.keys(tried).flatMap(id => getBlockedLines(state, id)),
    ],
    /** Brings tasks in step with the committed backlog. */
    apply(state, event, { atMs, touched }) {
      state.backlog = { commit: event.commit, blob: event.blob };
      state.project = event.project;
      state.sessions = Math.max(state.sessions, event.sessions ?? 0);
      for (const def of event.upserted) upsert(state, def);
      for (const def of event.upserted) rewire(state, def, touched);
      for (const id of event.removed) move(state, id, 'removed', touched);
      for (const id of event.accepted) {
        const task = state.tasks.get(id);
        if (task) task.landed ??= { commit: null, ref: null, attempt: 0 };
        move(state, id, 'landed', touched);
      }
      for (const id of event.reopened) move(state, id, 'pending', touched);
      for (const [id, attempts] of Object.entries(event.tried ?? {}))
        adoptAttempts(state, id, { attempts, atMs, touched });
      closeQuestions(state.people, ({ kind, about = [] }) => kind === 'cycle' && !isStillCycle(state, about));
    },
  },
  'task.added': {
    level: 'important',
    line: ({ def }) => `+ ${def.id}: ${getFirstLine(def.title)}`,
    progress: ({ def }) => [`INIT [${def.id}] ${def.title}`],
    apply(state, { def }, { touched }) {
      upsert(state, def);
      rewire(state, def, touched);
      if (def.kind === 'cleanup')
        state.cleanup = { added: state.cleanup.added + 1, landings: state.landings, requested: false };
    },
  },
};

/** Whether the tasks that a question is about are the ones that wait for each other now. */
function isStillCycle({ open }: State, about: readonly string[]): boolean {
  const found = new Set(findCycles([...open.values()].map(({ def }) => def)).flat());
  return found.size === about.length && about.every(id => found.has(id));
}

/** A task that failed elsewhere has those attempts behind it, and waits for a person where none is left. */
function adoptAttempts(
  state: State,
  id: string,
  { attempts, atMs, touched }: { attempts: number; atMs: number; touched: Set<string> },
): void {
  const task = state.tasks.get(id);
  if (task?.status !== 'pending') return;
  task.attempts = attempts;
  task.failedAtMs = atMs;
  moveTask(state, task, attempts < task.def.maxAttempts ? 'retry' : 'failed', touched);
}

function move(state: State, id: string, to: 'removed' | 'landed' | 'pending', touched: Set<string>): void {
  const task = state.tasks.get(id);
  if (task && task.status !== 'active') moveTask(state, task, to, touched);
}

function upsert(state: State, def: TaskDef): void {
  const known = state.tasks.get(def.id);
  if (!known) {
    const task = createTask(def);
    state.tasks.set(def.id, task);
    state.open.set(def.id, task);
    if (isCounted(def)) state.counts.pending++;
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

/** Whether it waits only for other words: a task that is changed answers the question by that. */
function isAboutWords({ people }: State, task: TaskState): boolean {
  const kind = people.questions.get(task.people.question ?? '')?.kind;
  return kind === 'unprovable';
}

/** Counts a task's dependencies afresh; the only place that looks at all of them. */
function rewire(state: State, def: TaskDef, touched: Set<string>): void {
  const task = state.tasks.get(def.id) as TaskState;
  const isGivenMore = task.status === 'failed' && task.attempts < def.maxAttempts;
  const isRewritten = task.status === 'blocked' && isAboutWords(state, task);
  if (task.status === 'removed' || isGivenMore || isRewritten) moveTask(state, task, 'pending', touched);
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
