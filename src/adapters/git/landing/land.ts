import { HarnessError } from '../../../core/base/failure.ts';
import type { LandResult, Tip } from '../../../ports/index.ts';
import { isAncestor } from '../objects/history.ts';
import type { GitContext } from '../repo/context.ts';
import { LANDED_REF } from '../repo/locks.ts';
import { foreseeLanding, type MoveResult, moveBranch } from './fast-forward.ts';
import type { LandingTurn } from './intents.ts';
import { withLandingTurn } from './landing-turn.ts';
import type { RefMove } from './refs.ts';
import { findTip, getBaseRef, type Heads, readHeads } from './tip.ts';

export interface LandRequest {
  readonly commit: string;
  readonly expected: string;
}

/**
 * Moves the base branch to `commit` if nobody's changes are in the way, else harness/landed. Never
 * forces: both branches only ever move to a commit that holds all they held.
 */
export async function land(
  ctx: GitContext,
  policy: 'base' | 'branch',
  readTip: () => Promise<Tip>,
  { commit, expected }: LandRequest,
): Promise<LandResult> {
  const tip = await readTip();
  if (tip.commit !== expected || commit === expected) return getPastResult(ctx, commit, tip);
  if (!(await isAncestor(ctx, expected, commit))) {
    throw new HarnessError(
      'internal',
      `${commit} does not build on ${expected}: landing it would drop commits`,
    );
  }
  const foreseen = policy === 'branch' ? null : await foreseeLanding(ctx, await getBaseMove(ctx, commit));
  const result = await withLandingTurn<LandResult>(ctx, commit, foreseen, async (marked, turn) => {
    const heads = await readHeads(marked);
    if ((await findTip(marked, heads))?.commit !== expected) return { ok: false, why: 'tip-moved' };
    const why = policy === 'branch' ? null : await landOnBase(marked, turn, heads, commit);
    if (why !== null && 'ok' in why) return why;
    return landBeside(marked, turn, { landed: heads.landed, commit, why: why?.why ?? null });
  });
  if (!result.ok || ctx.remarks.length === 0) return result;
  const notes = [...ctx.remarks.splice(0), ...(result.note === null ? [] : [result.note])];
  return { ...result, note: notes.join('; ') };
}

async function getBaseMove(ctx: GitContext, to: string): Promise<RefMove> {
  const { base } = await readHeads(ctx);
  return { ref: getBaseRef(ctx), from: base, to, reason: 'harness: land' };
}

async function landOnBase(
  ctx: GitContext,
  turn: LandingTurn,
  heads: Heads,
  commit: string,
): Promise<LandResult | { why: string }> {
  const ref = getBaseRef(ctx);
  const moved = await moveBranch(ctx, turn, { ref, from: heads.base, to: commit, reason: 'harness: land' });
  if (moved.is === 'moved') return { ok: true, commit, ref, note: null };
  if (moved.is === 'raced') return { ok: false, why: 'tip-moved' };
  return { why: moved.why };
}

async function landBeside(
  ctx: GitContext,
  turn: LandingTurn,
  {
    landed,
    commit,
    why,
  }: { readonly landed: string | null; readonly commit: string; readonly why: string | null },
): Promise<LandResult> {
  const moved: MoveResult = await moveBranch(ctx, turn, {
    ref: LANDED_REF,
    from: landed,
    to: commit,
    reason: 'harness: land',
  });
  if (moved.is === 'raced') return { ok: false, why: 'tip-moved' };
  if (moved.is === 'blocked') {
    throw new HarnessError('repo', `nothing can land: ${[why, moved.why].filter(Boolean).join('; ')}`, {
      fix: `commit or stash the changes there, or switch that checkout away from harness/landed (git switch ${ctx.repo.baseBranch})`,
    });
  }
  const { baseBranch } = ctx.repo;
  const take = `take it with \`git merge --ff-only --no-overwrite-ignore harness/landed\` on ${baseBranch}`;
  return {
    ok: true,
    commit,
    ref: LANDED_REF,
    note: why === null ? null : `landed on harness/landed, not on ${baseBranch}: ${why}; ${take}`,
  };
}

/** The tip is not what the caller saw: perhaps because this very commit has landed already. */
async function getPastResult(ctx: GitContext, commit: string, tip: Tip): Promise<LandResult> {
  if (!(await isAncestor(ctx, commit, tip.commit))) return { ok: false, why: 'tip-moved' };
  const { base } = await readHeads(ctx);
  const ref = (await isAncestor(ctx, commit, base)) ? getBaseRef(ctx) : LANDED_REF;
  return { ok: true, commit, ref, note: null };
}
