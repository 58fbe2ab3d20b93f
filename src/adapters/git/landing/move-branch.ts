import { readCheckouts } from '../repo/checkouts.ts';
import type { GitContext } from '../repo/context.ts';
import { fastForward, type MoveResult } from './fast-forward.ts';
import type { LandingIntent } from './intents.ts';
import type { LandingTurn } from './landing-turn.ts';
import { moveRef, type RefMove } from './refs.ts';

/** Moves a branch forward, and with it the checkout that is on it if that is clean; otherwise nothing changes. */
export async function moveBranch(ctx: GitContext, turn: LandingTurn, move: RefMove): Promise<MoveResult> {
  const checkouts = await readCheckouts(ctx, move.ref);
  const [checkout, another] = checkouts;
  if (checkout === undefined || move.from === null) return { is: await moveRef(ctx, move) };
  if (another)
    return { is: 'blocked', why: `${checkout.root} and ${another.root} both have the branch checked out` };
  return fastForward(ctx, turn, checkout, { ref: move.ref, from: move.from, to: move.to });
}

/** What moving a branch will mean for the checkout that is on it, as far as that can be seen before. */
export async function foreseeLanding(ctx: GitContext, move: RefMove): Promise<LandingIntent | null> {
  const [checkout, another] = await readCheckouts(ctx, move.ref);
  if (checkout === undefined || another !== undefined || move.from === null) return null;
  return { ref: move.ref, from: move.from, to: move.to, root: checkout.root, gitDir: checkout.gitDir };
}
