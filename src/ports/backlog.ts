import type { TaskDef } from '../core/model/task.ts';

export interface BacklogTask {
  readonly def: TaskDef;
  readonly passes: boolean;
}

export interface ParsedBacklog {
  readonly project: string;
  readonly tasks: readonly BacklogTask[];
  /** Worth telling a person, not worth stopping for (a task with too many steps). */
  readonly warnings: readonly string[];
}

/** One codec per file format, the same tasks inside. */
export interface Backlog {
  /** Throws a HarnessError that names the file and the field. Tasks that wait for each other are asked about, not refused. */
  parse(text: string): ParsedBacklog;
  /** The same text with only that task's flag changed, byte for byte otherwise. */
  setPasses(text: string, taskId: string, passes: boolean): string;
  /** What an agent changed between two texts: its claims, and everything it had no right to. */
  compare(
    before: string,
    after: string,
  ): { readonly claims: readonly string[]; readonly problems: readonly string[] };
}
