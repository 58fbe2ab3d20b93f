/** Times laps, less what was not the harness's own. */
export interface Stopwatch {
  /** Runs work whose time does not count. */
  aside<T>(work: () => Promise<T>): Promise<T>;
  lap(): void;
  laps(): number[];
}

export function createStopwatch(): Stopwatch {
  const laps: number[] = [];
  let sinceMs = performance.now();
  let asideMs = 0;
  return {
    async aside(work) {
      const startedMs = performance.now();
      try {
        return await work();
      } finally {
        asideMs += performance.now() - startedMs;
      }
    },
    lap() {
      const nowMs = performance.now();
      laps.push(nowMs - sinceMs - asideMs);
      sinceMs = nowMs;
      asideMs = 0;
    },
    laps: () => laps,
  };
}
