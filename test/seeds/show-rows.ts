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
  readonly failed: readonly Shown[];
}

export interface Showing {
  readonly stage: Stage;
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly onShown?: (behaviour: Behaviour, shown: Shown) => void;
}

/** Shows every behaviour, several at a time; what was interrupted counts as not shown. */
export async function showRows(rows: readonly Row[], showing: Showing): Promise<Summary> {
  const behaviours = rows.filter((row): row is Behaviour => !isLater(row));
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
  return { behaviours: behaviours.length, shown, later, failed: seen.filter(({ ok }) => !ok) };
}

async function showOne({ id, show }: Behaviour, stage: Stage): Promise<Shown> {
  const startMs = performance.now();
  const getSeconds = () => Math.round((performance.now() - startMs) / 100) / 10;
  try {
    await show(stage);
    return { id, ok: true, seconds: getSeconds(), reason: '' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { id, ok: false, seconds: getSeconds(), reason };
  }
}
