import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getWorkerPrefix } from '../src/adapters/process/marker.ts';
import { findMarked, killMarked } from '../src/adapters/process/sweep.ts';
import type { Shop } from './make-shop.ts';
import type { Night } from './night.ts';
import { type HarnessRun, startHarness, type ToldEvent } from './run-harness.ts';

/** What the night's teller is told besides the recorded facts. */
export interface RunListener {
  onEvent(event: ToldEvent): void;
  onKilled(pid: number, strays: number): void;
  onRestart(): void | Promise<void>;
}

export interface DemoRun {
  readonly kills: number;
  /** Of the last run, which nobody killed. */
  readonly exitCode: number | null;
}

const PATIENCE_MS = 30_000;
const LOOK_MS = 25;

interface Stage {
  readonly shop: Shop;
  readonly night: Night;
  readonly listener: RunListener;
  readonly signal: AbortSignal;
}

/** Runs the harness, shoots it in the middle of a session, and starts it again. */
export async function playRun(stage: Stage): Promise<DemoRun> {
  const { listener, signal } = stage;
  let kills = 0;
  const first = await runUntil(stage, stage.night.killedTask);
  signal.throwIfAborted();
  if (first.signal === 'SIGKILL') {
    kills++;
    listener.onKilled(first.pid, first.workers.flatMap(id => findMarked(getWorkerPrefix(id))).length);
    await listener.onRestart();
  }
  const second = await runUntil(stage, null);
  signal.throwIfAborted();
  return { kills, exitCode: second.exitCode };
}

async function runUntil({ shop, night, listener, signal }: Stage, victim: string | null) {
  const workers: string[] = [];
  let dir = '';
  const flags = night.workers === undefined ? [] : ['--workers', String(night.workers)];
  const onEvent = (event: ToldEvent): void => {
    if (event.type === 'worker.started') workers.push(event.worker.id);
    if (event.type === 'attempt.prepared' && event.task === victim) dir = event.dir;
    listener.onEvent(event);
    if (event.type === 'session.started' && event.task === victim)
      void shoot(run, join(dir, night.halfDoneFile));
  };
  const run = startHarness(shop, onEvent, flags);
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
