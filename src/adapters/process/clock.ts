import type { Clock } from '../../ports/index.ts';

/** The machine's own time. */
export function createClock(): Clock {
  return {
    nowMs: () => Date.now(),
    monotonicMs: getAwakeMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = (): void => {
          clearTimeout(timer);
          reject(signal?.reason);
        };
        const timer = setTimeout(() => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        }, ms);
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
  };
}

/** How often it is looked whether time has passed without us, and from which gap on that is believed. */
const TICK_MS = 1_000;
const GAP_MS = 5_000;

let isTicking = false;
let lastMs = 0;
let asleepMs = 0;

/**
 * Time in which this process could run: while the machine sleeps, or everything is stopped, agents and
 * commands cannot go on either, and no limit of theirs is used up. Systems differ in whether their own
 * steady clock goes on meanwhile; this one never does.
 */
export function getAwakeMs(): number {
  const nowMs = performance.now();
  if (!isTicking) {
    isTicking = true;
    lastMs = nowMs;
    setInterval(getAwakeMs, TICK_MS).unref();
  }
  if (nowMs - lastMs > GAP_MS) asleepMs += nowMs - lastMs - TICK_MS;
  lastMs = nowMs;
  return nowMs - asleepMs;
}

/** Timers of more than 24 days would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls back after so much time awake; the answer calls it off. */
export function setAwakeTimeout(callback: () => void, ms: number): () => void {
  const endMs = getAwakeMs() + ms;
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    const leftMs = endMs - getAwakeMs();
    timer = setTimeout(() => (getAwakeMs() < endMs ? arm() : callback()), Math.min(leftMs, MAX_TIMER_MS));
  };
  arm();
  return () => clearTimeout(timer);
}
