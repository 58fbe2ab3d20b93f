/** A program as it would be started without a sandbox. */
export interface PlainCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing of ours is added. */
  readonly env: Readonly<Record<string, string>>;
  /** An empty folder of ours for this run alone, removed by the caller afterwards. */
  readonly box: string;
  /** Paths of this run that the program must be able to read. */
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
  /** For reviews: the working directory is there to be looked at. */
  readonly isCwdReadOnly?: boolean;
}

/** What to start instead: the same program inside the sandbox. */
export interface WrappedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

/** A way to start programs contained; synchronous, as agent SDKs ask for the command in a callback. */
export interface Sandbox {
  wrap(command: PlainCommand): WrappedCommand;
}
