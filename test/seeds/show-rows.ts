import { type Behaviour, isLater, type Row } from './behaviour.ts';
import type { Stage } from './stage.ts';

export interface Shown {
  readonly id: string;
  readonly ok: boolean;
  readonly seconds: number;
  /** Why it was not seen. */
  readonly reason: string;
}

export interface Summary {
  readonly behaviours: number;
  readonly shown: number;
  /** Not built yet, counted apart. */
  readonly later: number;
  readonly seconds: number;
  /** What took longest, first the longest. */
  readonly slowest: readonly Pick<Shown, 'id' | 'seconds'>[];
  readonly failed: readonly Shown[];
}

const SLOWEST = 5;

export interface Showing {
  readonly stage: Stage;
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly onShown?: (behaviour: Behaviour, shown: Shown) => void;
}

/** Shows every behaviour, several at a time; what was interrupted counts as not shown. */
export async function showRows(rows: readonly Row[], showing: Showing): Promise<Summary> {
  const behaviours = rows.filter((row): row is Behaviour => !isLater(row));
  const getSeconds = startTimer();
  const queue = [...behaviours];
  const seen: Shown[] = [];
  const work = async (): Promise<void> => {
    for (let one = queue.shift(); one && !showing.signal.aborted; one = queue.shift()) {
      const shown = await showOne(one, showing.stage);
      seen.push(shown);
      showing.onShown?.(one, shown);
    }
  };
  await Promise.all(Array.from({ length: showing.jobs }, work));
  const shown = seen.filter(({ ok }) => ok).length;
  const later = rows.length - behaviours.length;
  return {
    ...{ behaviours: behaviours.length, shown, later, seconds: getSeconds() },
    slowest: seen
      .toSorted((a, b) => b.seconds - a.seconds)
      .slice(0, SLOWEST)
      .map(({ id, seconds }) => ({ id, seconds })),
    failed: seen.filter(({ ok }) => !ok),
  };
}

async function showOne({ id, show }: Behaviour, stage: Stage): Promise<Shown> {
  const getSeconds = startTimer();
  try {
    await show(stage);
    return { id, ok: true, seconds: getSeconds(), reason: '' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { id, ok: false, seconds: getSeconds(), reason };
  }
}

function startTimer(): () => number {
  const startMs = performance.now();
  return () => Math.round((performance.now() - startMs) / 100) / 10;
}
