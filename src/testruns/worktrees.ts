import { getGapError } from '../core/base/gaps.ts';
import type { Policy } from '../core/model/policy.ts';
import type { TestRun } from '../core/model/testing.ts';
import type { Ports, Worktree } from '../ports/index.ts';
import { installSealed, noteCreation, readGaps } from './install.ts';
import { Surroundings } from './surroundings.ts';

/** Pristine trees of one worker slot: one for the candidate, one for the base. */
export type Side = 'candidate' | 'base';

export interface WorktreeName {
  readonly slot: number;
  readonly side: Side;
  /** whether it is a worktree of its own beside the one of its side, so that both can be in use at once. */
  readonly isBeside?: boolean | undefined;
}

export interface TreeRequest extends WorktreeName {
  readonly tree: string;
  readonly signal: AbortSignal;
}

export interface CheckedOut {
  readonly dir: string;
  /** What is missing in it by a person's leave. */
  readonly gaps: readonly string[];
}

/**
 * Where commands run: directories that hold one tree at a time, with what is installed there. One object for all who
 * share them; whoever wants one waits for its turn. A tree can be laid out ahead, while something else is being done:
 * it is used once, by whoever asks for that very tree, and thrown away by everybody else.
 */
export class Worktrees {
  /** What the programs of each slot have to themselves. */
  readonly surroundings: Surroundings;
  readonly #ports: Ports;
  readonly #policy: Policy;
  readonly #turns = new Map<number, Promise<unknown>>();
  /** Null where somebody found out in time that nobody will need it. */
  readonly #prefetched = new Map<
    number,
    { readonly tree: string; readonly checkedOut: Promise<Worktree | null> }
  >();

  constructor({ ports, policy }: { readonly ports: Ports; readonly policy: Policy }) {
    this.surroundings = new Surroundings({ ports, policy });
    this.#ports = ports;
    this.#policy = policy;
  }

  /** Runs that somebody is making now, by what they are asked: whoever asks the same waits for them. */
  readonly underWay = new Map<string, Promise<TestRun>>();

  /** One after another in each worktree. */
  inTurn<T>(worktree: number, act: () => Promise<T>): Promise<T> {
    const mine = (this.#turns.get(worktree) ?? Promise.resolve()).then(act);
    this.#turns.set(
      worktree,
      mine.catch(() => undefined),
    );
    return mine;
  }

  /**
   * A pristine tree with its dependencies installed, in the turn of whoever asks. Whatever is missing in it is missed
   * by its tests: a person has to know of that first.
   */
  async checkOut({ slot, side, isBeside, tree, signal }: TreeRequest): Promise<CheckedOut> {
    const { workspace, store } = this.#ports;
    const ctx = { ports: this.#ports, policy: this.#policy };
    const worktree = getWorktreeNumber({ slot, side, isBeside });
    const checkedOut =
      (await this.#takePrefetched(worktree, tree)) ?? (await workspace.pristine(worktree, tree));
    const isNew = await noteCreation(ctx, checkedOut);
    const isInstalled = await installSealed(ctx, {
      ...{ worktree, dir: checkedOut.dir, tree, signal },
      base: getWorktreeNumber({ slot, side: 'base' }),
      inTurn: (other, act) => this.inTurn(other, act),
    });
    if (isNew || isInstalled) await store.metaPut(`fresh:${checkedOut.dir}`, 'yes');
    const { refused, accepted } = await readGaps(ctx, worktree);
    if (refused.length > 0) throw getGapError(refused);
    return { dir: checkedOut.dir, gaps: accepted };
  }

  /** Starts to lay out a tree; not one that turns out to be known when its turn comes. */
  prefetch(name: WorktreeName, tree: string, isKnown: () => Promise<boolean>): void {
    const worktree = getWorktreeNumber(name);
    const before = this.#prefetched.get(worktree)?.checkedOut ?? Promise.resolve();
    const checkedOut = before
      .catch(() => undefined)
      .then(async () => ((await isKnown()) ? null : this.#ports.workspace.pristine(worktree, tree)));
    checkedOut.catch(() => undefined);
    this.#prefetched.set(worktree, { tree, checkedOut });
  }

  /** Another tree than the one that is wanted has to be out of the way first. */
  async #takePrefetched(worktree: number, tree: string): Promise<Worktree | null> {
    const prefetched = this.#prefetched.get(worktree);
    this.#prefetched.delete(worktree);
    const checkedOut = (await prefetched?.checkedOut.catch(() => undefined)) ?? null;
    return prefetched?.tree === tree ? checkedOut : null;
  }

  /** Waits until nothing is under way any more, laid out in vain or not: worktrees are somebody else's then. */
  async settle(): Promise<void> {
    const prefetched = [...this.#prefetched.values()].map(({ checkedOut }) => checkedOut);
    this.#prefetched.clear();
    await Promise.allSettled([...prefetched, ...this.#turns.values()]);
  }
}

/** More than there are workers. */
const FIRST_BESIDE = 1_000;

export function getWorktreeNumber({ slot, side, isBeside }: WorktreeName): number {
  return isBeside ? FIRST_BESIDE + slot : slot * 2 + (side === 'base' ? 1 : 0);
}
