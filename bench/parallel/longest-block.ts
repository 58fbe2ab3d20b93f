import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';

/** The longest time for which the event loop of this process did nothing else. */
export interface LongestBlock {
  /** As a clock sees it, which also counts while other processes have the core. */
  readonly delayMs: number;
  /** Without the time that the kernel let the thread wait for a core; the same as the other where it does not tell. */
  readonly blockMs: number;
  /** The most that the thread itself computed in one go: the rest of a block is waiting for disks and for programs to start. */
  readonly computedMs: number;
}

const TICK_MS = 5;

/** Watches the loop of the very thread that it is called in, until it is asked. */
export function watchLoop(): () => LongestBlock {
  const histogram = monitorEventLoopDelay({ resolution: TICK_MS });
  histogram.enable();
  let [blockMs, computedMs] = [0, 0];
  let before = readNow();
  const timer = setInterval(() => {
    const now = readNow();
    const gapMs = now.atMs - before.atMs - TICK_MS - (now.waitedMs - before.waitedMs);
    blockMs = Math.max(blockMs, gapMs);
    computedMs = Math.max(computedMs, now.computedMs - before.computedMs);
    before = now;
  }, TICK_MS);
  return () => {
    histogram.disable();
    clearInterval(timer);
    return { delayMs: histogram.max / 1e6, blockMs, computedMs };
  };
}

/** How long the main thread has had a core, and was ready to run without one. */
function readNow() {
  const atMs = performance.now();
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8');
    const [computedMs = 0, waitedMs = 0] = text.split(' ').map(ns => Number(ns) / 1e6);
    return { atMs, computedMs, waitedMs };
  } catch {
    return { atMs, computedMs: 0, waitedMs: 0 };
  }
}

const IDLE = `
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { parentPort } = require('node:worker_threads');
const histogram = monitorEventLoopDelay({ resolution: ${TICK_MS} });
histogram.enable();
parentPort.on('message', () => parentPort.postMessage(histogram.max / 1e6));
`;

/** The longest delay of a thread that does nothing at all, at the same time: what the machine's other work costs anybody. */
export function watchIdleThread(): () => Promise<number> {
  const thread = new Worker(IDLE, { eval: true });
  return async () => {
    thread.postMessage('end');
    const [delayMs] = (await once(thread, 'message')) as [number];
    await thread.terminate();
    return delayMs;
  };
}
