/**
 * Everything a step may ask of the world, in one file. Adapters implement these; the simulator
 * implements them in memory; `test/contracts` holds each implementation to the same facts.
 */
import type { AgentErrorKind, AgentEvent } from './core/agent-event.ts';
import type { ArtifactRef, HarnessEvent, StoredEvent, Usage, WorkerRef } from './core/event.ts';
import type { State } from './core/state.ts';
import type { TaskDef } from './core/task.ts';
import type { RunnerKind, TestRun } from './core/testing.ts';
import type { ToolEntry } from './core/tool-entry.ts';

export type { AgentErrorKind, AgentEvent };

export interface Ports {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly workers: Workers;
  readonly workspace: Workspace;
  readonly backlog: Backlog;
  readonly shell: Shell;
  readonly tests: Tests;
  readonly agent: Agent;
  /** Tried in order when the agent cannot be had. */
  readonly fallbacks?: readonly Agent[];
  readonly artifacts: Artifacts;
  readonly reporter: Reporter;
  /** How commands of agents and tests are kept apart from the machine; goes into every proof. */
  readonly containment?: Containment;
  /** Tools of the harness's own for agents that can use them. */
  readonly toolbox?: Toolbox;
  /** Takes secrets out of text before it is recorded or put before an agent. */
  readonly redact?: (text: string) => string;
}

// ───────────────────────────────────────────────────────────── store

/** Proof of holding a resource: the fence grows with each acquisition, the token is random. */
export interface Lease {
  readonly resource: string;
  readonly owner: string;
  readonly fence: number;
  readonly token: string;
  readonly expiresAtMs: number;
}

/** What anyone may know of a lease; the token stays with its holder. */
export type LeaseInfo = Omit<Lease, 'token'>;

/** One row of the index that `status` and `next` read without folding events. */
export interface IndexRow {
  readonly id: string;
  readonly status: string;
  /** Null when the task cannot be taken now; otherwise its place in the queue (sorts as text). */
  readonly readyRank: string | null;
  /** What the listing shows: a JSON object. */
  readonly data: string;
}

export interface AppendRequest {
  readonly stream: string;
  /** The version the caller decided on; anything else in the store is a conflict. */
  readonly expectedVersion: number;
  readonly events: readonly HarnessEvent[];
  /** From `nowMs()`: the time these facts carry, so that folding them again gives the same state. */
  readonly atMs: number;
  /** Must be current on the store's clock, or nothing is written. */
  readonly lease?: Lease;
  /**
   * Takes a lease in the same transaction. `takeover` names the fence of a holder that the caller
   * has seen to be dead: that lease, and only that one, is replaced before its time is up.
   */
  readonly acquire?: {
    readonly resource: string;
    readonly owner: string;
    readonly ttlMs: number;
    readonly takeover?: number;
  };
  /** Gives up `lease` in the same transaction. */
  readonly release?: boolean;
  readonly index?: {
    readonly rows: readonly IndexRow[];
    readonly removed: readonly string[];
    readonly summary: string;
  };
}

export type AppendResult =
  | { readonly ok: true; readonly version: number; readonly seq: number; readonly lease: Lease | null }
  | { readonly ok: false; readonly why: 'conflict'; readonly version: number }
  | { readonly ok: false; readonly why: 'fenced' }
  | { readonly ok: false; readonly why: 'held'; readonly by: LeaseInfo };

export interface EventQuery {
  readonly stream?: string;
  readonly fromSeq?: number;
  readonly task?: string;
  readonly types?: readonly string[];
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly limit?: number;
  /** Newest first when set; `limit` then keeps the newest. */
  readonly newestFirst?: boolean;
}

/** Append-only truth. Every method is one atomic command on the store's own clock. */
export interface Store {
  append(request: AppendRequest): Promise<AppendResult>;
  read(query: EventQuery): Promise<readonly StoredEvent[]>;
  acquire(
    request: NonNullable<AppendRequest['acquire']>,
  ): Promise<{ ok: true; lease: Lease } | { ok: false; by: LeaseInfo }>;
  /** Null when the lease is no longer ours: stop at once. */
  renew(lease: Lease, ttlMs: number): Promise<Lease | null>;
  release(lease: Lease): Promise<void>;
  leases(): Promise<readonly LeaseInfo[]>;
  nowMs(): Promise<number>;
  /** Results remembered by a key that names their inputs; never part of the truth. */
  cacheGet(key: string): Promise<string | null>;
  cachePut(key: string, value: string): Promise<void>;
  metaGet(key: string): Promise<string | null>;
  metaPut(key: string, value: string): Promise<void>;
  close(): Promise<void>;
}

// ───────────────────────────────────────────────────────────── time, chance, processes

export interface Clock {
  /** Wall time, for people. */
  nowMs(): number;
  /** Never goes back; for durations and self-imposed deadlines. */
  monotonicMs(): number;
  /** Rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Random {
  /** A short unguessable lower-case token. */
  token(): string;
}

/** Which worker this is, and which of the recorded ones still live. */
export interface Workers {
  readonly self: WorkerRef;
  /** `unknown` when it ran on another host: then only the lease's time decides. */
  check(worker: WorkerRef): Promise<'alive' | 'dead' | 'unknown'>;
  /** Ends every process a dead worker's run left behind; returns how many there were. */
  reap(worker: WorkerRef): Promise<number>;
}

// ───────────────────────────────────────────────────────────── git and trees

export interface Tip {
  readonly commit: string;
  readonly tree: string;
  /** The ref that the next landing will move. */
  readonly ref: string;
}

export interface FileChange {
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted';
  /** Git's mode of the new side: 100644, 100755, 120000 (symlink), 160000 (nested repository). */
  readonly mode: string;
}

export interface Landing {
  readonly task: string;
  readonly attempt: number;
  readonly commit: string;
}

export type LandResult =
  | { readonly ok: true; readonly commit: string; readonly ref: string; readonly note: string | null }
  | { readonly ok: false; readonly why: 'tip-moved' };

/** A directory laid out for work. */
export interface Place {
  readonly dir: string;
  /** Changes when the directory was made anew, and with it all that was installed there is gone. */
  readonly birth?: string;
}

/**
 * Git as the harness needs it. Nothing here ever touches the user's working tree except `land`,
 * and that only when their checkout is clean and on the branch being moved.
 */
export interface Workspace {
  /** Puts right what a killed run left half done in git; returns what it did, one line each. */
  recover(): Promise<readonly string[]>;
  /** Where the next task starts and the next landing goes. */
  tip(): Promise<Tip>;
  readFile(commit: string, path: string): Promise<string | null>;
  /** Git's id of one file's content, so that a change of the backlog is seen without reading it. */
  blobId(commit: string, path: string): Promise<string | null>;
  /** Every file of a commit or tree. */
  listFiles(treeish: string): Promise<readonly string[]>;
  changes(from: string, to: string): Promise<readonly FileChange[]>;
  /** Commits in `from..to` that carry the harness's trailers. */
  findLandings(from: string, to: string): Promise<readonly Landing[]>;
  /** The agent's worktree of that slot, holding exactly `commit` (plus ignored files of its own). */
  prepare(slot: number, commit: string): Promise<Place>;
  /** What is on disk in that slot, as a tree, whatever the agent did to git there. */
  snapshot(slot: number): Promise<{ readonly tree: string }>;
  /** A tree made of another, with files taken from a commit and texts put in place. */
  compose(request: {
    readonly tree: string;
    readonly take?: readonly { readonly from: string; readonly paths: readonly string[] }[];
    readonly put?: readonly { readonly path: string; readonly text: string }[];
  }): Promise<string>;
  /** One commit on `parent`; the same request gives the same commit. */
  commit(request: {
    readonly tree: string;
    readonly parent: string;
    readonly message: string;
    readonly atMs: number;
  }): Promise<string>;
  /** A pristine directory holding exactly `tree`, which no agent has ever touched. */
  pristine(slot: number, tree: string, options?: { readonly wipe: boolean }): Promise<Place>;
  /** Remembers what installing dependencies left in a pristine directory. */
  seal?(slot: number): Promise<void>;
  /** Whether that is still as it was: code under test can write there. */
  isSealed?(slot: number): Promise<boolean>;
  /** Puts `commit` (one commit on its parent) onto `onto`. */
  rebase(
    commit: string,
    onto: string,
  ): Promise<{ ok: true; commit: string; tree: string } | { ok: false; conflicts: readonly string[] }>;
  /** Moves the tip's ref from `expected` to `commit`, or says that it moved. */
  land(request: { readonly commit: string; readonly expected: string }): Promise<LandResult>;
  /** Keeps a commit from being collected, under refs/harness/. */
  keep(name: string, commit: string): Promise<void>;
  drop(names: readonly string[]): Promise<void>;
  /** Content hashes on disk in that slot; null for a file that is not there. */
  hashes(slot: number, paths: readonly string[]): Promise<Readonly<Record<string, string | null>>>;
}

// ───────────────────────────────────────────────────────────── backlog

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
  /** Throws a HarnessError that names the file and the field. */
  parse(text: string): ParsedBacklog;
  /** The same text with only that task's flag changed, byte for byte otherwise. */
  setPasses(text: string, taskId: string, passes: boolean): string;
  /** What an agent changed between two texts: its claims, and everything it had no right to. */
  compare(
    before: string,
    after: string,
  ): { readonly claims: readonly string[]; readonly problems: readonly string[] };
}

// ───────────────────────────────────────────────────────────── commands and tests

export interface ShellRequest {
  readonly command: string;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Folders besides `cwd` that the command must be able to write, where it runs in a sandbox. */
  readonly writable?: readonly string[];
}

export interface ShellResult {
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** stdout and stderr as they came, the last part only when very long. */
  readonly output: string;
  readonly durationMs: number;
}

/** What stands between an agent's code and the machine, and how that is known. */
export interface Containment {
  readonly level: 'bubblewrap' | 'process';
  readonly reason: string;
}

/** Runs a command line with a clean environment; nothing it starts survives it. */
export interface Shell {
  run(request: ShellRequest): Promise<ShellResult>;
}

export interface TestRequest {
  readonly dir: string;
  readonly command: string;
  readonly runner: RunnerKind;
  readonly reportPath: string | null;
  /** The id of a command that has no report of its own. */
  readonly idWithoutReport: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Runs a test command with the harness's own report, read back as test ids. */
export interface Tests {
  run(request: TestRequest): Promise<TestRun>;
}

// ───────────────────────────────────────────────────────────── agents

/** `exec` edits and runs, `review` only reads, `complete` answers once without tools. */
export type AgentMode = 'exec' | 'review' | 'complete';

export interface SessionRequest {
  readonly task: TaskDef;
  readonly attempt: number;
  readonly session: number;
  readonly prompt: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Ends the session at once; nothing the agent started survives it. */
  readonly signal: AbortSignal;
  /** `exec` when not given. */
  readonly mode?: AgentMode;
  readonly model?: string;
  readonly effort?: string;
  /** JSON Schema of the answer in `complete` mode. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** The id of an earlier session of the same provider to go on with. */
  readonly resume?: string;
  /** Asks the agent to end its turn; what it has done so far stays. */
  readonly interrupt?: AbortSignal;
  /** Words put before the agent while it works, as far as it can be reached. */
  readonly injections?: Injections;
  /** MCP servers offered to the agent, by name. */
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
}

/** Tools through which an agent talks to the harness, one box per worktree. */
export interface Toolbox {
  /** Lays out an empty box; returns the server to offer to the agent. */
  open(worktree: string, orientation: string): Promise<McpServer>;
  /** What the agent said, checked for form. */
  read(worktree: string): Promise<readonly ToolEntry[]>;
}

export interface Injections {
  /** Returns the way to stop listening. */
  subscribe(listener: (text: string) => void): () => void;
}

export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The end of a session as the agent tells it: a claim, or not even that. */
export interface AgentResult {
  readonly outcome: 'claimed' | 'not-done' | 'crashed' | 'timeout';
  readonly summary: string;
  readonly usage: Usage;
  /** Why it ended badly, when the provider said so. */
  readonly failure?: AgentFailure;
  /** To go on with by `resume`. */
  readonly sessionId?: string;
  /** The answer in `complete` mode, checked against the schema by the adapter. */
  readonly structured?: unknown;
}

/** A provider's error in our words. */
export interface AgentFailure {
  readonly kind: AgentErrorKind;
  readonly message: string;
  /** When the provider says to try again, on the wall clock. */
  readonly retryAtMs?: number;
}

/** How far an agent can be steered. */
export interface AgentCapabilities {
  readonly modes: readonly AgentMode[];
  readonly inject: 'native' | 'abort-resume' | 'none';
  readonly interrupt: 'native' | 'abort' | 'none';
  readonly resume: boolean;
}

/** Drives one session of an agent; edits happen in `cwd`, and only git knows what they were. */
export interface Agent {
  readonly provider: string;
  readonly capabilities?: AgentCapabilities;
  run(request: SessionRequest, onEvent: (event: AgentEvent) => void): Promise<AgentResult>;
}

// ───────────────────────────────────────────────────────────── files for people, and the person

/** Files under the state directory, written whole or not at all. */
export interface Artifacts {
  write(path: string, content: string): Promise<ArtifactRef>;
  /** Rewrites the files that people and agents read, from what has been recorded. */
  project(snapshot: ProjectionInput): Promise<void>;
}

export interface ProjectionInput {
  readonly state: State;
  /** Appended since the last projection, oldest first. */
  readonly events: readonly StoredEvent[];
  /** Agent events of the session that has just ended. */
  readonly actions: readonly {
    readonly atMs: number;
    readonly session: number;
    readonly event: AgentEvent;
  }[];
}

/** Tells the person what is going on; must never throw. */
export interface Reporter {
  event(stored: StoredEvent): void;
  agent(task: string, event: AgentEvent): void;
  phase(task: string | null, text: string): void;
}
