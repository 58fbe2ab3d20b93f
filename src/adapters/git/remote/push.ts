import { HarnessError } from '../../../core/base/failure.ts';
import type { LandResult } from '../../../ports/index.ts';
import { keep } from '../landing/kept.ts';
import { makeNote } from '../landing/notes.ts';
import { getTrackingName } from '../landing/tip.ts';
import { isAncestor } from '../objects/history.ts';
import { readObjectIds, readObjects } from '../objects/objects.ts';
import type { GitContext } from '../repo/context.ts';
import { KEPT_PREFIX, NOTES_REF } from '../repo/locks.ts';
import { fetchRefs, readRemoteHeads, readRemoteTip } from './heads.ts';
import { askNetwork, getRemoteError, runNetwork } from './network.ts';

/**
 * Moves the remote's branch from where it was seen. A push with a lease is a forced one: that the new commit holds the
 * old is asked first. What came of a push whose answer was lost, the remote says itself.
 */
export async function landOnRemote(
  ctx: GitContext,
  { commit, expected }: { readonly commit: string; readonly expected: string },
): Promise<LandResult> {
  const { remote, baseBranch } = ctx.repo;
  if (!(await isAncestor(ctx, expected, commit)))
    throw new HarnessError(
      'internal',
      `${commit} does not build on ${expected}: landing it would drop commits`,
    );
  const ref = `refs/heads/${baseBranch}`;
  const pushed = await push(ctx, [`--force-with-lease=${ref}:${expected}`], [`${commit}:${ref}`]);
  const tip = await readRemoteTip(ctx, true);
  if (tip.commit === commit || (await isAncestor(ctx, commit, tip.commit))) {
    await keep(ctx, getTrackingName(ctx.repo), tip.commit);
    return { ok: true, commit, ref: `refs/remotes/${remote}/${baseBranch}`, note: null };
  }
  if (tip.commit !== expected) return { ok: false, why: 'tip-moved' };
  throw getRemoteError(ctx, 'pushing to', pushed.stderr);
}

function push(ctx: GitContext, leases: readonly string[], specs: readonly string[]) {
  const how = ['push', '--porcelain', '--quiet', '--atomic', '--no-follow-tags', '--no-recurse-submodules'];
  return runNetwork(ctx, [...how, ...leases, String(ctx.repo.remote), ...specs]).catch((error: unknown) => ({
    code: 1,
    stderr: error instanceof Error ? error.message : String(error),
  }));
}

/** What is recorded of it can be had by every host. */
export async function keepOnRemote(ctx: GitContext, name: string, commit: string): Promise<void> {
  await keep(ctx, name, commit);
  const spec = `+${commit}:${KEPT_PREFIX}${name}`;
  await askNetwork(ctx, 'pushing to', ['push', '--quiet', String(ctx.repo.remote), spec]);
}

/** Names that are not there are no error; whoever cannot be reached keeps them a while longer. */
export async function dropOnRemote(ctx: GitContext, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const specs = names.map(name => `:${KEPT_PREFIX}${name}`);
  await push(ctx, [], specs);
}

/** The branch and the proofs as the remote has them now. */
export async function refreshRemote(ctx: GitContext): Promise<void> {
  await readRemoteTip(ctx, true);
  const { notes } = await readRemoteHeads(ctx);
  if (notes === null) return;
  await fetchRefs(ctx, [NOTES_REF]);
  await keep(ctx, 'remote/notes', notes);
}

/** What other hosts kept, as far as it is not here. */
export async function fetchKept(
  ctx: GitContext,
  kept?: readonly { readonly name: string; readonly commit: string }[],
): Promise<void> {
  if (kept === undefined) return fetchAllKept(ctx);
  for (const { name, commit } of kept) {
    const [object] = await readObjects(ctx, [`${commit}^{commit}`]).catch(() => [null]);
    if (object) continue;
    await fetchRefs(ctx, [`${KEPT_PREFIX}${name}`]);
    await keep(ctx, name, commit);
  }
}

async function fetchAllKept(ctx: GitContext): Promise<void> {
  const args = ['ls-remote', String(ctx.repo.remote), `${KEPT_PREFIX}attempts/*`];
  const { stdout } = await askNetwork(ctx, 'asking', args);
  const listed = stdout.toString('utf8').split('\n').filter(Boolean);
  const found = listed.map(line => line.split('\t') as [string, string]);
  const objects = await readObjectIds(
    ctx,
    found.map(([id]) => id),
  );
  const missing = found.filter((_, at) => objects[at] === null).map(([, ref]) => ref);
  if (missing.length > 0) await fetchRefs(ctx, missing);
}

const TRIES = 20;
let turn: Promise<unknown> = Promise.resolve();

/** Attaches a proof where every host finds it; others do the same at the same time, and nothing of theirs is lost. */
export function annotateOnRemote(ctx: GitContext, commit: string, text: string): Promise<void> {
  const mine = turn.then(() => putNote(ctx, commit, text));
  turn = mine.catch(() => undefined);
  return mine;
}

async function putNote(ctx: GitContext, commit: string, text: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { notes } = await readRemoteHeads(ctx, true);
    if (notes !== null) await fetchRefs(ctx, [NOTES_REF]);
    const to = await makeNote(ctx, notes, { commit, text });
    if (to === null || to === notes) return;
    const lease = `--force-with-lease=${NOTES_REF}:${notes ?? ''}`;
    const pushed = await push(ctx, [lease], [`${to}:${NOTES_REF}`]);
    if (pushed.code === 0) return keep(ctx, 'remote/notes', to);
    if (tries === TRIES) throw getRemoteError(ctx, 'pushing proofs to', pushed.stderr);
  }
}
