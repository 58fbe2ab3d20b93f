import type { TaskDef } from '../core/model/task.ts';
import type { BacklogRecord } from '../core/views/backlog-record.ts';

export interface BacklogTask {
  readonly def: TaskDef;
  readonly passes: boolean;
  /** How often it was tried before anything was recorded here, as far as the file says so. */
  readonly attempts?: number;
}

/** What a file says about the runs on it, where a configuration says nothing. */
export interface BacklogLimits {
  readonly isConcurrent: boolean;
  readonly tasksPerRun: number;
  readonly sessions: number;
}

export interface ParsedBacklog {
  readonly project: string;
  readonly tasks: readonly BacklogTask[];
  /** Worth telling a person, not worth stopping for (a task with too many steps). */
  readonly warnings: readonly string[];
  readonly limits?: BacklogLimits;
  /** How many sessions the file says there were, in a format that counts them. */
  readonly sessions?: number;
}

/** One codec per file format, the same tasks inside. */
export interface Backlog {
  /** Whether a text of this format may say how far runs go. */
  readonly hasLimits?: boolean;
  /** Throws a HarnessError that names the file and the field. Tasks that wait for each other are asked about, not refused. */
  parse(text: string): ParsedBacklog;
  /** The same text with only that task's flag changed, byte for byte otherwise. */
  setPasses(text: string, taskId: string, passes: boolean): string;
  /** The same text with what happened so far, in a format that keeps that; else as it was. */
  keepRecord(text: string, record: BacklogRecord): string;
  /** What an agent changed between two texts: its claims, and everything it had no right to. */
  compare(
    before: string,
    after: string,
  ): { readonly claims: readonly string[]; readonly problems: readonly string[] };
}
