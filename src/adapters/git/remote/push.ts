import { HarnessError } from '../../../core/base/failure.ts';
import { getRemoteName } from '../../../core/proof/commit-message.ts';
import type { KeptCommit, LandResult } from '../../../ports/index.ts';
import { keep } from '../landing/kept.ts';
import { isAncestor } from '../objects/history.ts';
import { readObjectIds } from '../objects/objects.ts';
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

/** What is recorded of it can be had by every host, whatever is kept under that name later. */
export async function keepOnRemote(ctx: GitContext, name: string, commit: string): Promise<void> {
  await keep(ctx, name, commit);
  const spec = `+${commit}:${KEPT_PREFIX}${getRemoteName(name, commit)}`;
  await askNetwork(ctx, 'pushing to', ['push', '--quiet', OWN_REMOTE, spec]);
}

/** Names that are not there are no error; a remote that cannot be reached for longer than a moment keeps them. */
export async function dropOnRemote(ctx: GitContext, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const gone = new Set(names);
  const listed = getRefs(await tryNetwork(ctx, LIST_KEPT));
  // Before each commit had a name of its own, a ref was called as it is here.
  const refs = listed.filter(({ name }) => gone.has(name) || gone.has(name.replace(/\.[0-9a-f]{12}$/, '')));
  if (refs.length === 0) return;
  const specs = refs.map(({ name }) => `:${KEPT_PREFIX}${name}`);
  for (let tries = 1; (await push(ctx, [], specs)).code !== 0 && tries < TRIES; tries++)
    await pauseBetween(tries);
}

/** What other hosts kept, as far as it is not here; the answer names what is nowhere. */
export async function fetchKept(
  ctx: GitContext,
  kept: readonly KeptCommit[] | null,
): Promise<readonly string[]> {
  const missing = kept && (await findMissing(ctx, kept));
  if (missing?.length === 0) return [];
  const listed = getRefs(await askNetwork(ctx, 'asking', LIST_KEPT));
  const wanted = new Set(missing?.map(({ commit }) => commit));
  const exact = listed.filter(({ commit }) => wanted.has(commit));
  // What has no name of its own may stand below one that another commit has.
  const isExact = new Set(exact.map(({ commit }) => commit)).size === wanted.size;
  const refs = missing && isExact ? exact : await findMissing(ctx, listed);
  if (refs.length > 0)
    await fetchRefs(
      ctx,
      refs.map(({ name }) => `${KEPT_PREFIX}${name}`),
    );
  const gone = new Set((await findMissing(ctx, missing ?? [])).map(({ commit }) => commit));
  for (const { name, commit } of missing ?? []) if (!gone.has(commit)) await keep(ctx, name, commit);
  return [...gone];
}

async function findMissing(ctx: GitContext, kept: readonly KeptCommit[]): Promise<readonly KeptCommit[]> {
  const ids = await readObjectIds(
    ctx,
    kept.map(({ commit }) => `${commit}^{commit}`),
  );
  return kept.filter((_, at) => ids[at] === null);
}

const LIST_KEPT = ['ls-remote', OWN_REMOTE, `${KEPT_PREFIX}*`];

function getRefs({ stdout }: GitResult): readonly KeptCommit[] {
  const lines = stdout.toString('utf8').split('\n').filter(Boolean);
  return lines.map(line => {
    const [commit = '', ref = ''] = line.split('\t');
    return { name: ref.slice(KEPT_PREFIX.length), commit };
  });
}
