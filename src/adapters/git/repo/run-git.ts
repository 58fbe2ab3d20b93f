import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { HarnessError } from '../../../core/base/failure.ts';
import { getMarker, getMarkerChain, MARKER_VARIABLE } from '../../process/marker.ts';

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface GitOptions {
  readonly cwd?: string;
  /** The whole environment of the child: nothing is inherited. */
  readonly env: Record<string, string>;
  readonly input?: string | Buffer;
  readonly timeoutMs?: number;
  /** What git starts itself (ssh, a helper) ends with it, and cannot ask at our terminal. */
  readonly hasOwnGroup?: boolean;
  /** Ends it at once; its reason is the error. */
  readonly signal?: AbortSignal;
}

/** How this folder reaches git: one short-lived process per call. */
export type RunGit = (args: string[], options: GitOptions) => Promise<GitResult>;

const DEFAULT_TIMEOUT_MS = 10 * 60_000;

/** Runs the `git` found on PATH; a non-zero exit is a result, only a git that cannot run is an error. */
export const runGit: RunGit = (args, options) =>
  new Promise((resolve, reject) => {
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const child = spawn('git', args, {
      env: options.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: options.hasOwnGroup === true,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let timedOut = false;
    const end = (): void => endGit(child, options);
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, timeoutMs);
    const onAbort = (): void => end();
    options.signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', chunk => stdout.push(chunk));
    child.stderr.on('data', chunk => stderr.push(chunk));
    child.stdin.on('error', () => {});
    child.on('error', error => {
      clearTimeout(timer);
      reject(getSpawnError(error, options.cwd));
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
      if (options.signal?.aborted) return reject(options.signal.reason as Error);
      if (timedOut) return reject(getTimeoutError(args, timeoutMs));
      const note = signal === null ? '' : `git was ended by ${signal}\n`;
      resolve({
        code: code ?? 137,
        stdout: Buffer.concat(stdout),
        stderr: note + Buffer.concat(stderr).toString('utf8'),
      });
    });
    child.stdin.end(options.input);
  });

/** An ssh that waits for an answer would keep our end of its pipe, and so us, after git itself is gone. */
function endGit(child: ChildProcess, { hasOwnGroup }: GitOptions): void {
  try {
    if (hasOwnGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended.
  }
  child.kill('SIGKILL');
}

/**
 * Git with the mark of a worker, or of one thing it does. A git that outlives its killed harness would go on
 * writing while the next one clears locks and lays out the same trees: the mark is how the next one ends it first.
 */
export function markGit(run: RunGit, id: string): RunGit {
  const mark = getMarker(id, 'git');
  return (args, options) => {
    const outer = options.env[MARKER_VARIABLE] ?? process.env[MARKER_VARIABLE];
    return run(args, {
      ...options,
      env: { ...options.env, [MARKER_VARIABLE]: getMarkerChain(outer, mark) },
    });
  };
}

function getSpawnError(error: NodeJS.ErrnoException, cwd: string | undefined): Error {
  if (error.code !== 'ENOENT')
    return new HarnessError('environment', `git cannot be started: ${error.message}`);
  if (cwd !== undefined && !existsSync(cwd)) {
    return new HarnessError('repo', `the folder ${cwd} does not exist`, {
      file: cwd,
      fix: 'run from a folder inside the repository',
    });
  }
  return new HarnessError('environment', 'git is not installed, or not on PATH', {
    fix: 'install git 2.38 or newer and make sure that `git --version` works',
  });
}

function getTimeoutError(args: readonly string[], timeoutMs: number): Error {
  const name = args.find(arg => /^[a-z-]+$/.test(arg) && !arg.startsWith('-')) ?? 'command';
  return new HarnessError(
    'environment',
    `git ${name} did not finish within ${Math.round(timeoutMs / 1000)} s`,
    {
      fix: 'check that the disk and the repository respond (git status), then run the command again',
    },
  );
}
