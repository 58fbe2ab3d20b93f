/** A small project of one kind, with a task that has an approved red test, and the work that does it. */
export interface Sample {
  readonly name: string;
  /** Commands that have to succeed on this machine, such as `go version`. */
  readonly needs: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly programs?: readonly string[];
  /** The approved test of the task. */
  readonly test: readonly [path: string, text: string];
  readonly work: Readonly<Record<string, string>>;
  /** Where somebody stands who starts `init`. */
  readonly from?: string;
  /** Folders that come first on PATH. */
  readonly path?: readonly string[];
}
