import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { CaptureRequest } from '../../ports/index.ts';
import { getShellCommand } from './shell.ts';

const POLL_MS = 100;
const MAX_OUTPUT = 4_000;

export interface Application {
  readonly url: string;
  stop(): void;
}

/** The application, once it answers; or why it does not. */
export async function startApplication(
  job: Pick<CaptureRequest, 'command' | 'dir' | 'url' | 'readyMs'>,
): Promise<Application | string> {
  const port = String((await findOwnPort(process.env)) ?? (await listenOn(0)));
  const url = job.url.replaceAll(/\$\{?HARNESS_PORT\}?|HARNESS_PORT/g, port);
  const [file, ...args] = getShellCommand(job.command, process.env.PATH);
  const env = { ...process.env, HARNESS_PORT: port, PORT: port };
  const child = spawn(file, args, { cwd: job.dir, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const onOutput = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-MAX_OUTPUT);
  };
  child.stdout.on('data', onOutput);
  child.stderr.on('data', onOutput);
  let ended: string | null = null;
  child.on('error', error => {
    ended = error.message;
  });
  child.on('exit', (code, signal) => {
    ended ??= `it ended with ${signal ?? code}`;
  });
  const deadlineMs = performance.now() + job.readyMs;
  while (performance.now() < deadlineMs && ended === null) {
    if (await answers(url)) return { url, stop: () => stop(child) };
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
  stop(child);
  const why = ended ?? `it did not answer at ${url} within ${Math.round(job.readyMs / 1_000)} s`;
  return `the application did not come up: ${why}${output ? `\n${output.trimEnd()}` : ''}`;
}

/** Any answer will do: what it says is looked at in the browser. */
async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
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
