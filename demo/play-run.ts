import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getWorkerPrefix } from '../src/adapters/process/marker.ts';
import { findMarked, killMarked } from '../src/adapters/process/sweep.ts';
import type { Shop } from './make-shop.ts';
import { type HarnessRun, startHarness, type ToldEvent } from './run-harness.ts';
import { HALF_DONE_FILE, KILLED_TASK } from './shop-files.ts';

/** What the night's teller is told besides the recorded facts. */
export interface RunListener {
  onEvent(event: ToldEvent): void;
  onKilled(pid: number, strays: number): void;
  onRestart(): void;
}

export interface DemoRun {
  readonly kills: number;
  /** Of the last run, which nobody killed. */
  readonly exitCode: number | null;
}

const PATIENCE_MS = 30_000;
const LOOK_MS = 25;

/** Runs the harness, shoots it in the middle of a session, and starts it again. */
export async function playRun(shop: Shop, listener: RunListener, signal: AbortSignal): Promise<DemoRun> {
  let kills = 0;
  const first = await runUntil(shop, listener, signal, KILLED_TASK);
  signal.throwIfAborted();
  if (first.signal === 'SIGKILL') {
    kills++;
    listener.onKilled(first.pid, first.workers.flatMap(id => findMarked(getWorkerPrefix(id))).length);
    listener.onRestart();
  }
  const second = await runUntil(shop, listener, signal, null);
  signal.throwIfAborted();
  return { kills, exitCode: second.exitCode };
}

async function runUntil(shop: Shop, listener: RunListener, signal: AbortSignal, victim: string | null) {
  const workers: string[] = [];
  let dir = '';
  const run = startHarness(shop, event => {
    if (event.type === 'worker.started') workers.push(event.worker.id);
    if (event.type === 'attempt.prepared') dir = event.dir;
    listener.onEvent(event);
    if (event.type === 'session.started' && event.task === victim) void shoot(run, join(dir, HALF_DONE_FILE));
  });
  const stop = (): void => run.kill();
  signal.addEventListener('abort', stop, { once: true });
  const end = await run.ended;
  signal.removeEventListener('abort', stop);
  if (signal.aborted) for (const id of workers) await killMarked(getWorkerPrefix(id));
  return { ...end, pid: run.pid, workers };
}

/** Waits until the agent has begun to write, so that there is something half done to lose. */
async function shoot(run: HarnessRun, halfDone: string): Promise<void> {
  for (let waitedMs = 0; !existsSync(halfDone) && waitedMs < PATIENCE_MS; waitedMs += LOOK_MS)
    await sleep(LOOK_MS);
  await sleep(400);
  run.kill();
}
