import type { Clock } from '../../ports/index.ts';
import { getAwakeMs } from './awake-time.ts';

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
