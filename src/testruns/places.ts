import { getGapError } from '../core/base/gaps.ts';
import type { Policy } from '../core/model/policy.ts';
import type { Place, Ports } from '../ports/index.ts';
import { installSealed, noteBirth, readGaps } from './install.ts';

/** Pristine trees of one worker slot: one for the candidate, one for the base. */
export type Side = 'candidate' | 'base';

export interface PlaceName {
  readonly slot: number;
  readonly side: Side;
  /** Whether it is a place of its own beside the one of its side, so that both can be in use at once. */
  readonly isBeside?: boolean | undefined;
}

export interface TreeInPlace extends PlaceName {
  readonly tree: string;
  readonly signal: AbortSignal;
}

export interface LaidOut {
  readonly dir: string;
  /** What is missing in it by a person's leave. */
  readonly gaps: readonly string[];
}

/**
 * Where commands run: directories that hold one tree at a time, with what is installed there. One object for all who
 * share them; whoever wants one waits for its turn. A tree can be laid out ahead, while something else is being done:
 * it is used once, by whoever asks for that very tree, and thrown away by everybody else.
 */
export class Places {
  readonly #ports: Ports;
  readonly #policy: Policy;
  readonly #turns = new Map<number, Promise<unknown>>();
  /** Null where somebody found out in time that nobody will need it. */
  readonly #ahead = new Map<number, { readonly tree: string; readonly laidOut: Promise<Place | null> }>();

  constructor({ ports, policy }: { readonly ports: Ports; readonly policy: Policy }) {
    this.#ports = ports;
    this.#policy = policy;
  }

  /** One after another in each place. */
  inTurn<T>(place: number, act: () => Promise<T>): Promise<T> {
    const mine = (this.#turns.get(place) ?? Promise.resolve()).then(act);
    this.#turns.set(
      place,
      mine.catch(() => undefined),
    );
    return mine;
  }

  /**
   * A pristine tree with its dependencies installed, in the turn of whoever asks. Whatever is missing in it is missed
   * by its tests: a person has to know of that first.
   */
  async layOut({ slot, side, isBeside, tree, signal }: TreeInPlace): Promise<LaidOut> {
    const { workspace, store } = this.#ports;
    const ctx = { ports: this.#ports, policy: this.#policy };
    const place = getPlaceNumber({ slot, side, isBeside });
    const laidOut = (await this.#takeAhead(place, tree)) ?? (await workspace.pristine(place, tree));
    const isNew = await noteBirth(ctx, laidOut);
    const isInstalled = await installSealed(ctx, {
      ...{ place, dir: laidOut.dir, tree, signal },
      base: getPlaceNumber({ slot, side: 'base' }),
      inTurn: (other, act) => this.inTurn(other, act),
    });
    if (isNew || isInstalled) await store.metaPut(`fresh:${laidOut.dir}`, 'yes');
    const { refused, accepted } = await readGaps(ctx, place);
    if (refused.length > 0) throw getGapError(refused);
    return { dir: laidOut.dir, gaps: accepted };
  }

  /** Starts to lay out a tree; not one that turns out to be known when its turn comes. */
  layOutAhead(name: PlaceName, tree: string, isKnown: () => Promise<boolean>): void {
    const place = getPlaceNumber(name);
    const before = this.#ahead.get(place)?.laidOut ?? Promise.resolve();
    const laidOut = before
      .catch(() => undefined)
      .then(async () => ((await isKnown()) ? null : this.#ports.workspace.pristine(place, tree)));
    laidOut.catch(() => undefined);
    this.#ahead.set(place, { tree, laidOut });
  }

  /** Another tree than the one that is wanted has to be out of the way first. */
  async #takeAhead(place: number, tree: string): Promise<Place | null> {
    const ahead = this.#ahead.get(place);
    this.#ahead.delete(place);
    const laidOut = (await ahead?.laidOut.catch(() => undefined)) ?? null;
    return ahead?.tree === tree ? laidOut : null;
  }

  /** Waits until nothing is under way any more, laid out in vain or not: places are somebody else's then. */
  async settle(): Promise<void> {
    const ahead = [...this.#ahead.values()].map(({ laidOut }) => laidOut);
    this.#ahead.clear();
    await Promise.allSettled([...ahead, ...this.#turns.values()]);
  }
}

/** More than there are workers. */
const FIRST_BESIDE = 1_000;

export function getPlaceNumber({ slot, side, isBeside }: PlaceName): number {
  return isBeside ? FIRST_BESIDE + slot : slot * 2 + (side === 'base' ? 1 : 0);
}
