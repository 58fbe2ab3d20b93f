import type { Clock } from '../../src/ports/index.ts';

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly wake: () => void;
}

/** Virtual time: nothing waits, everything happens in a fixed order, one awakening at a time. */
export class Scheduler {
  nowMs = 1_700_000_000_000;
  #order = 0;
  readonly #timers: Timer[] = [];

  after(ms: number, wake: () => void): void {
    const timer = { atMs: this.nowMs + ms, order: this.#order++, wake };
    let i = this.#timers.length;
    while (i > 0 && isLater(this.#timers[i - 1] as Timer, timer)) i--;
    this.#timers.splice(i, 0, timer);
  }

  sleep(ms: number): Promise<void> {
    return new Promise(resolve => this.after(ms, resolve));
  }

  /** Runs until `isOver` or nothing is left to wake; false when the limit was hit first. */
  async run(isOver: () => boolean, maxWakes: number): Promise<boolean> {
    for (let wakes = 0; wakes < maxWakes; wakes++) {
      await new Promise(setImmediate);
      if (isOver()) return true;
      const next = this.#timers.shift() ?? (await this.#awaitTimer());
      if (!next) return isOver();
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.wake();
    }
    return false;
  }

  async #awaitTimer(): Promise<Timer | undefined> {
    for (let page = 0; page < PAGES && this.#timers.length === 0; page++) await new Promise(setImmediate);
    return this.#timers.shift();
  }
}

/** Reading a long history lets everything else have its turn between two pages, and takes no time. */
const PAGES = 20;

function isLater(a: Timer, b: Timer): boolean {
  return a.atMs > b.atMs || (a.atMs === b.atMs && a.order > b.order);
}

/** The Clock port on virtual time. */
export function createSimClock(scheduler: Scheduler): Clock {
  return {
    nowMs: () => scheduler.nowMs,
    monotonicMs: () => scheduler.nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => reject(signal?.reason);
        signal?.addEventListener('abort', onAbort, { once: true });
        scheduler.after(ms, () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        });
      }),
  };
}
