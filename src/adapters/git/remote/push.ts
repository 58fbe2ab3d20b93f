import { HarnessError } from '../../../core/base/failure.ts';
import type { LandResult } from '../../../ports/index.ts';
import { keep } from '../landing/kept.ts';
import { isAncestor } from '../objects/history.ts';
import { readObjectIds, readObjects } from '../objects/objects.ts';
import type { GitContext } from '../repo/context.ts';
import { KEPT_PREFIX } from '../repo/locks.ts';
import type { GitResult } from '../repo/run-git.ts';
import { fetchRefs, readRemoteTip } from './heads.ts';
import { askNetwork, getRemoteError, pauseBetween, TRIES, tryNetwork } from './network.ts';
import { OWN_REMOTE } from './way.ts';

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
  for (let tries = 1; ; tries++) {
    const pushed = await push(ctx, [`--force-with-lease=${ref}:${expected}`], [`${commit}:${ref}`]);
    const tip = await readRemoteTip(ctx);
    if (tip.commit === commit || (await isAncestor(ctx, commit, tip.commit)))
      return { ok: true, commit, ref: `refs/remotes/${remote}/${baseBranch}`, note: null };
    if (tip.commit !== expected) return { ok: false, why: 'tip-moved' };
    // The network was away, or another push held the branch for the moment.
    if (tries === TRIES) throw getRemoteError(ctx, 'pushing to', pushed.stderr);
    await pauseBetween(tries);
  }
}

/** Pushes all of it or nothing, each ref from where it was seen. */
export function push(
  ctx: GitContext,
  leases: readonly string[],
  specs: readonly string[],
): Promise<GitResult> {
  const how = ['push', '--porcelain', '--quiet', '--atomic', '--no-follow-tags', '--no-recurse-submodules'];
  return tryNetwork(ctx, [...how, ...leases, OWN_REMOTE, ...specs]);
}

/** What is recorded of it can be had by every host. */
export async function keepOnRemote(ctx: GitContext, name: string, commit: string): Promise<void> {
  await keep(ctx, name, commit);
  const spec = `+${commit}:${KEPT_PREFIX}${name}`;
  await askNetwork(ctx, 'pushing to', ['push', '--quiet', OWN_REMOTE, spec]);
}

/** Names that are not there are no error; a remote that cannot be reached for longer than a moment keeps them. */
export async function dropOnRemote(ctx: GitContext, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const specs = [...new Set(names)].map(name => `:${KEPT_PREFIX}${name}`);
  for (let tries = 1; (await push(ctx, [], specs)).code !== 0 && tries < TRIES; tries++)
    await pauseBetween(tries);
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
  const args = ['ls-remote', OWN_REMOTE, `${KEPT_PREFIX}attempts/*`];
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
