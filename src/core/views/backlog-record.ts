import type { PastAttempt } from '../state/attempt.ts';
import type { State } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';

/** What a backlog may keep of the work on it, for people to read; nothing is decided by it. */
export interface BacklogRecord {
  readonly sessions: number;
  readonly lastSessionAtMs: number | null;
  readonly tasks: ReadonlyMap<string, TaskRecord>;
}

export interface TaskRecord {
  readonly attempts: number;
  /** What became of it, where that is neither done nor untouched. */
  readonly hasFailed: boolean;
  readonly startedAtCommit: string | null;
  /** As the log has them: `[CATEGORY] what went wrong`. */
  readonly errors: readonly string[];
  readonly checkpoints: readonly RecordedStep[];
  readonly completedAtMs: number | null;
}

interface RecordedStep {
  readonly step: number;
  readonly total: number;
  readonly description: string;
  readonly atMs: number;
}

/** The record of every task that was worked on; `landing` is about to be done. */
export function getBacklogRecord(state: State, nowMs: number, landing: string | null): BacklogRecord {
  const tasks = [...state.tasks.values()].filter(({ started, attempts }) => started > 0 || attempts > 0);
  const last = state.recent.lastSession;
  return {
    sessions: state.sessions,
    lastSessionAtMs: landing === null ? (last?.endedAtMs ?? null) : nowMs,
    tasks: new Map(
      tasks.map(task => [task.def.id, getTaskRecord(state, task, task.def.id === landing ? nowMs : null)]),
    ),
  };
}

function getTaskRecord(state: State, task: TaskState, landsAtMs: number | null): TaskRecord {
  const { def, attempts, history, status, landed } = task;
  const isDone = status === 'landed' || landsAtMs !== null;
  const own = landed ? history.find(({ number }) => number === landed.attempt) : undefined;
  const errors = history.filter(({ outcome }) => outcome !== 'landed').map(getError);
  const active = state.active.get(def.id);
  return {
    // The one that succeeded counts as well.
    attempts: attempts + (isDone ? 1 : 0),
    hasFailed: !isDone && attempts > 0,
    startedAtCommit: active?.base ?? history.at(-1)?.checkpoint?.commit ?? null,
    errors,
    checkpoints: task.steps,
    completedAtMs: landsAtMs ?? own?.endedAtMs ?? null,
  };
}

function getError({ category, reason, outcome }: PastAttempt): string {
  return `[${category ?? (outcome === 'partial' ? 'SESSION_TIMEOUT' : 'TASK_EXEC')}] ${reason.split('\n', 1)[0]}`;
}
