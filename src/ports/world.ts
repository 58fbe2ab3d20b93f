import type { WorkerRef } from '../core/model/facts.ts';
import type { MachineReading } from '../core/model/machine.ts';
import type { RunnerKind, TestRun } from '../core/model/testing.ts';

export interface Clock {
  /** Wall time, for people. */
  nowMs(): number;
  /** Never goes back, and stands still while the machine sleeps; for durations and self-imposed deadlines. */
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

/** Which TCP ports of this machine are in use, and under which name a project may share it with others. */
export interface Sockets {
  /** Letters, digits and underscores, lower case; of this project on this machine alone. */
  readonly project: string;
  /** Those that somebody listens on at this moment, on any address. */
  findTaken(ports: readonly number[]): Promise<readonly number[]>;
}

/** What the machine has to give at this moment. */
export interface Sensors {
  /** Never throws: what cannot be seen here is null. */
  readMachine(): Promise<MachineReading>;
}

export interface ShellRequest {
  readonly command: string;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Ports and names that this worktree has to itself; what the user sets by name counts instead. */
  readonly surroundings?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Folders besides `cwd` that the command must be able to write, where it runs in a sandbox. */
  readonly writable?: readonly string[];
  /** Files and folders that it must be able to see there. */
  readonly readable?: readonly string[];
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

/** What a proof needs of the world: the hash it is known by, and what it was made with. */
export interface Hasher {
  sha256(text: string): string;
  /** The settings in force; null when they are in no file. */
  readonly config: { readonly path: string; readonly sha256: string } | null;
  /** Versions by name: harness, node, git, os. */
  readonly tools: Readonly<Record<string, string>>;
}

/** Runs a command line with a clean environment; nothing it starts survives it. */
export interface Shell {
  run(request: ShellRequest): Promise<ShellResult>;
}

/** An application as it is started for somebody who looks at it. */
export interface ApplicationRequest {
  /** Starts the application; it finds its port in HARNESS_PORT and PORT. */
  readonly command: string;
  /** Where it answers; `HARNESS_PORT` in it stands for the port. */
  readonly url: string;
  readonly readyMs: number;
}

/** What end-to-end tests need besides their tree. */
export interface EndToEnd {
  /** Started in the same tree, on a port of the worktree's own; null where the tests start what they need. */
  readonly application: ApplicationRequest | null;
  /** Folders of the tree that are empty when the tests begin, and of which the files are wanted afterwards. */
  readonly artifactDirs: readonly string[];
}

/** What was found in these folders. */
export interface ProducedFiles {
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  /** What was left there, and why, one line each. */
  readonly left: readonly string[];
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
  /** Files of the tree whose readers are wanted. */
  readonly observe?: readonly string[];
  /** Whether what is compiled of it is kept for other runs to begin with. */
  readonly keepsCompiled?: boolean;
  /** As a shell is given them. */
  readonly surroundings?: Readonly<Record<string, string>>;
  readonly endToEnd?: EndToEnd;
}

/** Runs a test command with the harness's own report, read back as test ids. */
export interface Tests {
  run(request: TestRequest): Promise<TestRun & { readonly produced?: ProducedFiles }>;
  /** What results depend on besides files and command: system, sandbox, versions of interpreters. */
  fingerprint?(runner: RunnerKind): Promise<string>;
}

export interface HeldOutFile {
  readonly path: string;
  readonly sha256: string;
  readonly text: string;
}

/** Tests that no agent ever sees. */
export interface HeldOut {
  /** The files for a task, where they belong in the tree. */
  list(task: string): Promise<readonly HeldOutFile[]>;
  /** Lays them into a pristine directory; returns the way to take them out again. */
  layFiles(task: string, dir: string): Promise<() => Promise<void>>;
}

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

export interface CaptureRequest extends ApplicationRequest {
  /** A pristine tree with its dependencies. */
  readonly dir: string;
  /** None where the question is only whether it comes up. */
  readonly pages: readonly string[];
  readonly viewports: readonly Viewport[];
  readonly signal: AbortSignal;
  /** As a shell is given them; the application is put on the first of these ports that is free. */
  readonly surroundings?: Readonly<Record<string, string>>;
}

/** One page as it looked, and what the browser said of it. */
export interface Screenshot {
  readonly page: string;
  readonly viewport: Viewport;
  /** Of the page itself; null when nothing came. */
  readonly status: number | null;
  /** Nothing to read and nothing to see. */
  readonly isBlank: boolean;
  /** Errors on the console and uncaught ones. */
  readonly errors: readonly string[];
  /** Requests that failed or were refused. */
  readonly failures: readonly string[];
  readonly png: Uint8Array | null;
}

export interface CaptureResult {
  /** Why there are no screenshots of the application. */
  readonly problem: string | null;
  /** Set when that is the browser's fault and says nothing about the application. */
  readonly isBrowserFault?: boolean;
  readonly screenshots: readonly Screenshot[];
}

/** A real browser on the running application; neither of them runs any longer when `capture` returns. */
export interface Browser {
  /** Why there is none to be had, with what to do about it. */
  readonly missing: string | null;
  capture(request: CaptureRequest): Promise<CaptureResult>;
}

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
