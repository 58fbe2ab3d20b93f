import type { AttemptRef, EventLevel } from '../model/facts.ts';
import type { Attempt } from '../state/attempt.ts';
import type { State } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';

/** All that there is to know about one kind of event; what is absent is not told or changes nothing. */
export interface EventKind<E> {
  /** How much it matters, which decides whether and how long it is kept in the logs. */
  readonly level: EventLevel | ((event: E) => EventLevel);
  /** What people read while a run goes on; null where this one is only of use to the harness. */
  line?(event: E): string | null;
  /** Its lines in `harness-progress.txt`, which begin with a word for grep. */
  progress?(event: E, state: State): readonly string[];
  /** Its record in `decisions.jsonl`: why things went the way they did. */
  decision?(event: E): object | null;
  apply?(state: State, event: E, recorded: Recorded): void;
  /** Instead of `apply`, for what happens to the attempt under way. */
  advance?(scope: AttemptScope, event: E): void;
}

/** Every event of a union with its kind; the compiler keeps it complete. */
export type EventTable<E extends { readonly type: string }> = {
  readonly [T in E['type']]: EventKind<Extract<E, { readonly type: T }>>;
};

/** What comes with every event: when it was recorded, and the tasks whose index rows it may have changed. */
export interface Recorded {
  readonly atMs: number;
  readonly touched: Set<string>;
}

/** An attempt under way, and everything around it that an event may change. */
export interface AttemptScope extends Recorded {
  readonly state: State;
  readonly task: TaskState;
  readonly attempt: Attempt;
}

/** The task that an event is about; one that names another task has been tampered with. */
export function getNamedTask(
  state: State,
  event: { readonly type: string; readonly task: string },
): TaskState {
  const task = state.tasks.get(event.task);
  if (!task) throw new Error(`event ${event.type} names task ${event.task}, which is not in the backlog`);
  return task;
}

/** The attempt that an event is about, which must be the one under way. */
export function getScope(
  state: State,
  event: AttemptRef & { readonly type: string },
  recorded: Recorded,
): AttemptScope {
  const task = getNamedTask(state, event);
  const attempt = state.active.get(event.task);
  if (attempt?.number !== event.attempt) {
    throw new Error(
      `event ${event.type} names attempt ${event.attempt} of task ${event.task}, which is not under way`,
    );
  }
  recorded.touched.add(event.task);
  return { ...recorded, state, task, attempt };
}
