import type { TaskState } from '../state/task-state.ts';
import { fromPlain, TASK_SHAPE } from './plain.ts';
import type { ClosedRow } from './saved-head.ts';

/** Rows in a part: few enough to be read or written between two other things. */
export const PART_ROWS = 256;

interface ReadRow {
  readonly task: TaskState;
  readonly dependents: Set<string> | null;
}

/** The tasks of closed parts, each made of its line when it is first asked for. */
export class ClosedRows {
  readonly #bodies: readonly (() => Uint8Array)[];
  readonly #lines: (readonly string[] | undefined)[] = [];
  readonly #read = new Map<number, ReadRow>();

  constructor(bodies: readonly (() => Uint8Array)[]) {
    this.#bodies = bodies;
  }

  /** The number of a row, by which it is asked for. */
  static getNumber(part: number, row: number): number {
    return part * PART_ROWS + row;
  }

  /** Always the same objects for the same row. */
  read(number: number): ReadRow {
    const known = this.#read.get(number);
    if (known) return known;
    const [plain, dependents] = JSON.parse(this.getLine(number)) as ClosedRow;
    const task = fromPlain<TaskState>(plain, TASK_SHAPE);
    const row = { task, dependents: dependents && new Set(dependents) };
    this.#read.set(number, row);
    return row;
  }

  isRead(number: number): boolean {
    return this.#read.has(number);
  }

  getLine(number: number): string {
    const part = Math.floor(number / PART_ROWS);
    this.#lines[part] ??= new TextDecoder().decode(this.#bodies[part]?.()).split('\n');
    const line = this.#lines[part]?.[number % PART_ROWS];
    if (line === undefined) throw new Error(`row ${number} of a saved state is not there`);
    return line;
  }
}
