import type { TaskState } from '../state/task-state.ts';
import type { ClosedRows } from './closed-rows.ts';
import { LazyMap } from './lazy-map.ts';

/** The tasks of a state that was read back: those that have landed or been removed are read when they are asked for. */
export class LazyTasks extends LazyMap<TaskState> {
  readonly #rows: ClosedRows;

  constructor(rows: ClosedRows) {
    super(number => rows.read(number).task);
    this.#rows = rows;
  }

  /** Whether nobody has asked for a task or for who depends on it: then neither can have changed. */
  isUnread(id: string): boolean {
    const number = this.getUnread(id);
    return number !== null && !this.#rows.isRead(number);
  }

  /** What a task is read from. */
  getLine(id: string): string {
    return this.#rows.getLine(this.getUnread(id) ?? -1);
  }
}
