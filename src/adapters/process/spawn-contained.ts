import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { getErrorMessage } from '../../core/base/failure.ts';
import type { Random, Sandbox } from '../../ports/index.ts';
import { getCleanEnv, getOwnStdio } from './clean-env.ts';
import { setAwakeTimeout } from './clock.ts';
import { getTmpPrefix, noteGroup } from './group-notes.ts';
import { getMarker } from './marker.ts';
import { readProcess } from './proc.ts';
import { type OutputLimits, readOutput } from './read-output.ts';
import { killMarked, type OwnedGroup, signalRun } from './sweep.ts';

/** On whose behalf a process runs; its id is in the marker, so that a later harness can find it. */
export interface SpawnOwner {
  readonly workerId: string;
  readonly random: Random;
  /** Where everything it starts runs; without one there is only process containment. */
  readonly sandbox?: Sandbox | undefined;
}

export interface SpawnRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
  readonly signal?: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
  /** Ports and names of the worktree, below whatever is set by name. */
  readonly surroundings?: Readonly<Record<string, string>>;
  /** Names of variables that may come through from our own environment. */
  readonly passEnv?: readonly string[];
  readonly ci?: boolean;
  /** Becomes TMPDIR and is left alone; without it the run gets one of its own that goes with it. */
  readonly tmpDir?: string;
  /** Paths besides `cwd` that a sandboxed process must see, or must be able to write. */
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
  /** Without it the child reads an empty stdin. */
  readonly stdin?: string;
  readonly limits?: OutputLimits;
  /** Told the number of its first process once that runs. */
  readonly onStart?: (pid: number) => void;
  readonly onStdoutLine?: (line: string) => void;
  readonly onStderrLine?: (line: string) => void;
}

export interface SpawnResult {
  readonly end: 'exited' | 'timeout' | 'aborted' | 'not-started';
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  readonly error: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, as they came. */
  readonly output: string;
  readonly droppedBytes: number;
  readonly durationMs: number;
  /** Processes that outlived the main one and were ended. */
  readonly killed: number;
  readonly survivors: number;
}

/**
 * The one place that starts processes for commands, tests and agents. Whatever way the main process
 * ends, everything it started is ended too before this returns: its process group, and anything that
 * left the group but carries the marker. Throws only what a line callback threw.
 */
export async function spawnContained(owner: SpawnOwner, request: SpawnRequest): Promise<SpawnResult> {
  if (request.tmpDir && !owner.sandbox) return await runInTmp(owner, request, request.tmpDir);
  let tmpDir: string;
  try {
    tmpDir = await mkdtemp(getTmpPrefix(owner.workerId));
  } catch (error) {
    return getEmptyResult('not-started', `cannot make a temporary directory: ${getErrorMessage(error)}`);
  }
  try {
    return await runInTmp(owner, request, tmpDir);
  } finally {
    // Best effort: a directory made read-only by the child is left to the system's own cleaning.
    await rm(tmpDir, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function runInTmp(owner: SpawnOwner, request: SpawnRequest, tmpDir: string): Promise<SpawnResult> {
  const startedMs = performance.now();
  const marker = getMarker(owner.workerId, owner.random.token());
  if (request.signal?.aborted) return getEmptyResult('aborted', null);
  if (!existsSync(request.cwd)) return getEmptyResult('not-started', `no such directory: ${request.cwd}`);
  const env = getCleanEnv(process.env, { ...request, marker, tmpDir });
  const command = getCommand(owner, request, env, tmpDir);
  const started = typeof command === 'string' ? command : await start({ ...request, ...command });
  if (typeof started === 'string') return getEmptyResult('not-started', started);

  const { child, group } = started;
  noteGroup(owner.workerId, group);
  request.onStart?.(group.pid);
  const stop = createStop(marker, group, request.graceMs ?? 2_000, owner.sandbox !== undefined);
  const output = readOutput(child, request, () => stop('aborted'));
  const unwatch = watchLimits(request, stop);
  const { exitCode, signal } = await started.ended;
  unwatch();
  const end = stop.settle() ?? 'exited';
  const swept = await killMarked(marker, group);
  const texts = await output.finish();
  const durationMs = performance.now() - startedMs;
  if (owner.sandbox && isUnboxed(exitCode, texts)) return getEmptyResult('not-started', texts.stderr.trim());
  return { end, exitCode, signal, error: null, ...texts, durationMs, ...swept };
}

type RealCommand = Pick<SpawnRequest, 'file' | 'args'> & { readonly env: Record<string, string> };

/** What is really started, or the reason why nothing may be. */
function getCommand(
  { sandbox }: SpawnOwner,
  request: SpawnRequest,
  env: Record<string, string>,
  box: string,
): RealCommand | string {
  const { file, args, cwd, readable, writable = [], tmpDir } = request;
  if (!sandbox) return { file, args, env };
  try {
    const own = tmpDir ? [...writable, tmpDir] : writable;
    return sandbox.wrap({ file, args, cwd, env, box, writable: own, ...(readable ? { readable } : {}) });
  } catch (error) {
    return `cannot contain ${file}: ${getErrorMessage(error)}`;
  }
}

/** Bubblewrap failed before it came to our command: that is no result of the command's. */
function isUnboxed(exitCode: number | null, texts: { stdout: string; stderr: string }): boolean {
  return exitCode === 1 && texts.stdout === '' && /^bwrap: [^\n]*\n?$/.test(texts.stderr);
}

interface Started {
  readonly child: ChildProcess;
  readonly group: OwnedGroup;
  readonly ended: Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>;
}

/** The running child, or the reason why there is none. */
async function start(request: SpawnRequest & RealCommand): Promise<Started | string> {
  const hasInput = request.stdin !== undefined;
  let child: ChildProcess;
  try {
    child = spawn(request.file, request.args, {
      cwd: request.cwd,
      env: request.env,
      detached: true,
      stdio: getOwnStdio([hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe']),
    });
  } catch (error) {
    return `cannot start ${request.file}: ${getErrorMessage(error)}`;
  }
  const { pid } = child;
  if (pid === undefined) {
    return await new Promise(resolve => {
      child.once('error', error => resolve(`cannot start ${request.file}: ${getErrorMessage(error)}`));
    });
  }
  // Nothing has collected the child yet, so this is the child even if it has already ended.
  const group = { pid, startTicks: readProcess(pid)?.startTicks ?? null };
  const ended = new Promise<Awaited<Started['ended']>>(resolve => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
  if (hasInput) {
    // A child that does not read its stdin breaks the pipe; that is its right.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(request.stdin);
  }
  return { child, group, ended };
}

type StopReason = 'timeout' | 'aborted';

interface Stop {
  (reason: StopReason): void;
  /** Called once the main process has ended: no more signals, and the reason, if there was one. */
  settle(): StopReason | null;
}

/**
 * Ends the run politely, then not; the first reason is the one that counts. The sandbox's own processes
 * are not asked politely: they would go at once and take everything inside with them.
 */
function createStop(marker: string, group: OwnedGroup, graceMs: number, isBoxed: boolean): Stop {
  let reason: StopReason | null = null;
  let timer: NodeJS.Timeout | undefined;
  const stop = (why: StopReason): void => {
    if (reason) return;
    reason = why;
    signalRun(marker, group, 'SIGTERM', isBoxed);
    timer = setTimeout(() => signalRun(marker, group, 'SIGKILL'), graceMs);
  };
  const settle = (): StopReason | null => {
    clearTimeout(timer);
    const why = reason;
    reason ??= 'aborted';
    return why;
  };
  return Object.assign(stop, { settle });
}

function watchLimits(request: SpawnRequest, stop: Stop): () => void {
  const onAbort = (): void => stop('aborted');
  const cancel = setAwakeTimeout(() => stop('timeout'), request.timeoutMs);
  request.signal?.addEventListener('abort', onAbort, { once: true });
  if (request.signal?.aborted) onAbort();
  return () => {
    cancel();
    request.signal?.removeEventListener('abort', onAbort);
  };
}

function getEmptyResult(end: 'aborted' | 'not-started', error: string | null): SpawnResult {
  const nothing = { stdout: '', stderr: '', output: '', droppedBytes: 0, durationMs: 0 };
  return { end, exitCode: null, signal: null, error, ...nothing, killed: 0, survivors: 0 };
}
