/** The part of the Codex SDK that is used; the package itself is there only where people installed it. */
export interface CodexSdk {
  readonly Codex: new (options: CodexOptions) => Codex;
}

export interface Codex {
  /** Not documented: where the program is, and the tools that come with it. */
  readonly exec?: { readonly executablePath?: string; readonly pathDirs?: readonly string[] };
  startThread(options: ThreadOptions): CodexThread;
  resumeThread(id: string, options: ThreadOptions): CodexThread;
}

export interface CodexThread {
  runStreamed(
    input: string,
    options: { readonly signal: AbortSignal; readonly outputSchema?: unknown },
  ): Promise<{ readonly events: AsyncIterable<unknown> }>;
}

export interface CodexOptions {
  /** Started in place of the program that the package brings. */
  readonly codexPathOverride?: string;
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly config: ConfigObject;
  /** `key=value` with a TOML value, for keys that hold dots and slashes. */
  readonly configOverrides: readonly string[];
}

export type ConfigValue = string | number | boolean | ConfigObject;
export interface ConfigObject {
  readonly [key: string]: ConfigValue;
}

export interface ThreadOptions {
  readonly model?: string;
  readonly modelReasoningEffort?: string;
  readonly sandboxMode: 'read-only' | 'workspace-write' | 'danger-full-access';
  readonly approvalPolicy: 'never';
  readonly workingDirectory: string;
  readonly webSearchMode: 'disabled';
  readonly skipGitRepoCheck: boolean;
}
