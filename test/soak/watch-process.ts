import { readdirSync, readFileSync } from 'node:fs';

export interface Sample {
  readonly rssKb: number;
  readonly fds: number;
}

const EVERY_MS = 500;

/** Looks at a process from outside until it is told to stop. */
export function watchProcess(pid: number): { stop(): readonly Sample[] } {
  const samples: Sample[] = [];
  const timer = setInterval(() => {
    const sample = readSample(pid);
    if (sample) samples.push(sample);
  }, EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return samples;
    },
  };
}

/** How much more there is at the end of a run than after it had warmed up. */
export function getGrowth(samples: readonly Sample[]): { readonly rss: number; readonly fds: number } {
  const quarter = Math.floor(samples.length / 4);
  const [early, late] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
  if (quarter === 0) return { rss: 0, fds: 0 };
  const rss = getMedian(late.map(({ rssKb }) => rssKb)) / getMedian(early.map(({ rssKb }) => rssKb)) - 1;
  const fds = getMedian(late.map(sample => sample.fds)) - getMedian(early.map(sample => sample.fds));
  return { rss: Math.round(rss * 1_000) / 1_000, fds };
}

function readSample(pid: number): Sample | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const rssKb = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    return { rssKb, fds: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}

function getMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
