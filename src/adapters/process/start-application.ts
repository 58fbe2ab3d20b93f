import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { Unserved } from '../../core/model/testing.ts';
import type { ApplicationRequest, CaptureRequest } from '../../ports/index.ts';
import { findPortOwner } from './find-owner.ts';
import { getShellCommand } from './shell.ts';

const POLL_MS = 100;
const MAX_OUTPUT = 4_000;
/** One that ends just then has answered and listens no more: only answers in a row are somebody else's. */
const MAX_STRANGE = 3;

export interface Application {
  readonly url: string;
  /** Whether somebody else answers there by now. */
  isForeign(): boolean;
  stop(): void;
}

/** The application, once it answers and nobody else does; or why it cannot be used. */
export async function startApplication(
  job: ApplicationRequest & { readonly dir: string },
): Promise<Application | Unserved> {
  const own = String((await findOwnPort(process.env)) ?? (await listenOn(0)));
  const url = job.url.replaceAll(/\$\{?HARNESS_PORT\}?|HARNESS_PORT/g, own);
  const port = getPort(url);
  // Only where it can be seen at all is an empty port known to be empty.
  if (findPortOwner(port, 0) === 'unseen') return { fault: 'unseen', why: getUnseen(port) };
  if (findPortOwner(port, 0) !== 'nobody') return { fault: 'foreign', why: getForeign(port) };
  const started = start(job, own);
  const { child } = started;
  const group = child.pid ?? 0;
  const deadlineMs = performance.now() + job.readyMs;
  let status: number | null = null;
  let strange = 0;
  while (performance.now() < deadlineMs && started.ended === null && strange < MAX_STRANGE) {
    status = await askStatus(url);
    const isOurs = status === null || findPortOwner(port, group) === 'ours';
    strange = isOurs ? 0 : strange + 1;
    if (isOurs && status !== null && status < 500)
      return { url, isForeign: () => findPortOwner(port, group) === 'foreign', stop: () => stop(child) };
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
  const owner = findPortOwner(port, group);
  stop(child);
  if (owner === 'foreign' || (strange > 0 && started.ended === null))
    return { fault: 'foreign', why: getForeign(port) };
  const answered = status === null ? 'it did not answer' : `it answered ${status}, and nothing better`;
  const why = started.ended ?? `${answered} at ${url} within ${Math.round(job.readyMs / 1_000)} s`;
  const { output } = started;
  return {
    fault: 'down',
    why: `the application did not come up: ${why}${output ? `\n${output.trimEnd()}` : ''}`,
  };
}

function getForeign(port: number): string {
  return `port ${port} is answered by a process that was not started here: what it says is no proof`;
}

function getUnseen(port: number): string {
  return `nobody can see here who listens on port ${port}: that takes /proc`;
}

function getPort(url: string): number {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

interface Started {
  readonly child: ChildProcess;
  output: string;
  /** How it ended, once it has. */
  ended: string | null;
}

function start({ command, dir }: Pick<CaptureRequest, 'command' | 'dir'>, port: string): Started {
  const [file, ...args] = getShellCommand(command, process.env.PATH);
  const env = { ...process.env, HARNESS_PORT: port, PORT: port };
  const child = spawn(file, args, { cwd: dir, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const started: Started = { child, output: '', ended: null };
  const onOutput = (chunk: Buffer) => {
    started.output = (started.output + chunk.toString()).slice(-MAX_OUTPUT);
  };
  child.stdout.on('data', onOutput);
  child.stderr.on('data', onOutput);
  child.on('error', error => {
    started.ended = error.message;
  });
  child.on('exit', (code, signal) => {
    started.ended ??= `it ended with ${signal ?? code}`;
  });
  return started;
}

/** What it answers; null where nothing comes. */
async function askStatus(url: string): Promise<number | null> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}

/** The whole group; whatever left it is ended by whoever started us. */
function stop(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** The first port of the worktree's own that is free; nobody else on this machine is given one of these. */
async function findOwnPort(env: NodeJS.ProcessEnv): Promise<number | null> {
  for (const name of Object.keys(env).filter(key => /^HARNESS_PORT(_\d+)?$/.test(key))) {
    const port = Number(env[name]);
    const isFree = port > 0 && (await listenOn(port).catch(() => null)) !== null;
    if (isFree) return port;
  }
  return null;
}

/** Listens for a moment; rejects where somebody else does. */
function listenOn(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
