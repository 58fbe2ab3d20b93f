/** One ratio with the limit it has to keep. */
export interface BenchResult {
  readonly name: string;
  readonly ratio: number;
  readonly limit: number;
  readonly ok: boolean;
  /** More is better: the limit is the least it may be. */
  readonly isAtLeast?: true;
  /** Null where something else than time is measured. */
  readonly floorMs: number | null;
  readonly oursMs: number | null;
}

/** A floor of this machine, shown before any ratio: without it a ratio says little. */
export interface Floor {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'µs' | 'MB' | 'tokens' | 'tasks';
}

export interface Report {
  readonly floors: readonly Floor[];
  readonly results: readonly BenchResult[];
}

/** Times of one thing and of its floor, taken in turns. */
export interface Timing {
  readonly name: string;
  readonly limit: number;
  readonly oursMs: readonly number[];
  readonly floorMs: readonly number[];
}

/** Judges times: the median of ours over the median of the floor's, from the same interleaved run. */
export function getTimeResult({ name, limit, ...times }: Timing): BenchResult {
  const oursMs = getMedian(times.oursMs);
  const floorMs = getMedian(times.floorMs);
  return { ...getRatioResult(name, limit, oursMs, floorMs), floorMs: round(floorMs), oursMs: round(oursMs) };
}

/** Judges anything that is not a time. */
export function getRatioResult(name: string, limit: number, ours: number, floor: number): BenchResult {
  const ratio = round(ours / floor);
  return { name, ratio, limit, ok: ratio <= limit, floorMs: null, oursMs: null };
}

/** Judges a share of what would be best. */
export function getShareResult(name: string, limit: number, share: number): BenchResult {
  const ratio = round(share);
  return { name, ratio, limit, ok: ratio >= limit, isAtLeast: true, floorMs: null, oursMs: null };
}

/** Measures on when a limit is missed, at most twice, and judges all samples together: a busy machine needs more of them. */
export async function measureUntilSure(
  measure: () => Promise<readonly Timing[]>,
  say: (text: string) => void,
): Promise<BenchResult[]> {
  let timings = await measure();
  for (let more = 0; more < 2 && timings.map(getTimeResult).some(result => !result.ok); more++) {
    say('  a limit is missed so far; taking more samples …');
    const next = await measure();
    timings = timings.map((timing, at) => ({
      ...timing,
      oursMs: [...timing.oursMs, ...(next[at]?.oursMs ?? [])],
      floorMs: [...timing.floorMs, ...(next[at]?.floorMs ?? [])],
    }));
  }
  return timings.map(getTimeResult);
}

/** The middle one: a single slow run on a busy machine must not decide. */
export function getMedian(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
