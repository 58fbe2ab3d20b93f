import { HarnessError } from '../../../core/base/failure.ts';
import type { Tip } from '../../../ports/index.ts';
import { keep } from '../landing/kept.ts';
import { readRef } from '../landing/refs.ts';
import { getTrackingName, readLastSeen } from '../landing/tip.ts';
import { getCommitFacts, readObjects } from '../objects/objects.ts';
import type { GitContext } from '../repo/context.ts';
import { KEPT_PREFIX, NOTES_REF } from '../repo/locks.ts';
import { askNetwork, getRemoteError } from './network.ts';
import { OWN_REMOTE } from './way.ts';

/** What the remote says of the two refs that all hosts share. */
export interface RemoteHeads {
  readonly base: string;
  readonly notes: string | null;
}

/** Every lane asks before every step: those who come while a question is out share the next one. */
const asking = new Map<string, { now: Promise<RemoteHeads>; next: Promise<RemoteHeads> | undefined }>();

/**
 * Where the remote's branch is, asked after this call: whoever has read the record first sees all the landings in it. With
 * an older answer, a backlog from before them would be recorded as the newest, and what has landed would be done again.
 */
export function readRemoteHeads(ctx: GitContext): Promise<RemoteHeads> {
  const { commonDir, remote, baseBranch } = ctx.repo;
  const key = [commonDir, remote, baseBranch].join(' ');
  const known = asking.get(key);
  if (known) {
    known.next ??= known.now.then(
      () => ask(ctx, key),
      () => ask(ctx, key),
    );
    return known.next;
  }
  return ask(ctx, key);
}

function ask(ctx: GitContext, key: string): Promise<RemoteHeads> {
  const mine = { now: askHeads(ctx), next: undefined };
  asking.set(key, mine);
  const end = (): void => {
    if (asking.get(key) === mine && mine.next === undefined) asking.delete(key);
  };
  mine.now.then(end, end);
  return mine.now;
}

async function askHeads(ctx: GitContext): Promise<RemoteHeads> {
  const { baseBranch } = ctx.repo;
  const base = `refs/heads/${baseBranch}`;
  const result = await askNetwork(ctx, 'asking', ['ls-remote', OWN_REMOTE, base, NOTES_REF]);
  const found = new Map(
    result.stdout
      .toString('utf8')
      .split('\n')
      .map(line => line.split('\t') as [string, string])
      .map(([id, ref]) => [ref, id]),
  );
  const head = found.get(base);
  if (!head) throw getNoBranchError(ctx);
  return { base: head, notes: found.get(NOTES_REF) ?? null };
}

function getNoBranchError({ repo }: GitContext): HarnessError {
  const { remote, baseBranch } = repo;
  return new HarnessError('repo', `the remote ${remote} has no branch ${baseBranch} to start from`, {
    field: 'git.base_branch',
    fix: `push it (git push ${remote} ${baseBranch}), or name a branch that the remote has: git ls-remote --heads ${remote}`,
  });
}

/** The remote's branch, with all that it stands on fetched. */
export async function readRemoteTip(ctx: GitContext): Promise<Tip> {
  const { base } = await readRemoteHeads(ctx);
  const { remote, baseBranch } = ctx.repo;
  const name = getTrackingName(ctx.repo);
  await fetchMissing(ctx, base, `refs/heads/${baseBranch}`, name);
  // Somebody may have put the branch back to where it was before.
  if ((await readRef(ctx, `${KEPT_PREFIX}${name}`)) !== base) await keep(ctx, name, base);
  const [object] = await readObjects(ctx, [base]);
  if (object?.type !== 'commit') throw getRemoteError(ctx, 'reading', `${base} is not a commit`);
  return { commit: base, tree: getCommitFacts(object).tree, ref: `refs/remotes/${remote}/${baseBranch}` };
}

/**
 * Looks at the remote, for those who can do with what was seen last. Null once it was seen; else why it was not, and
 * nothing that is read then may be recorded: it can be older than what others have.
 */
export async function seeRemote(ctx: GitContext): Promise<string | null> {
  try {
    await readRemoteTip(ctx);
    return null;
  } catch (error) {
    const isAway = error instanceof HarnessError && error.details.field === 'git.remote';
    if (isAway && (await readLastSeen(ctx)) !== null) return error.message;
    throw error;
  }
}

/** Whether somebody who may read the remote may push there; nothing is. */
export async function tryPush(ctx: GitContext, commit: string): Promise<void> {
  const spec = `${commit}:${KEPT_PREFIX}doctor`;
  await askNetwork(ctx, 'pushing to', ['push', '--dry-run', '--quiet', OWN_REMOTE, spec]);
}

const fetching = new Map<string, Promise<void>>();

/** Fetches what is not here yet, once for all who want it, and keeps it from being collected. */
export async function fetchMissing(
  ctx: GitContext,
  commit: string,
  ref: string,
  name: string,
): Promise<void> {
  const key = `${ctx.repo.commonDir} ${commit}`;
  if (!fetching.has(key)) fetching.set(key, fetchOne(ctx, { commit, ref, name }));
  try {
    await fetching.get(key);
  } catch (error) {
    fetching.delete(key);
    throw error;
  }
}

async function fetchOne(
  ctx: GitContext,
  { commit, ref, name }: { readonly commit: string; readonly ref: string; readonly name: string },
): Promise<void> {
  const [object] = await readObjects(ctx, [`${commit}^{commit}`]).catch(() => [null]);
  if (!object) await fetchRefs(ctx, [ref]);
  await keep(ctx, name, commit);
}

/** Only objects: no ref of the user's moves, and none that a kill could leave locked. */
export async function fetchRefs(ctx: GitContext, refs: readonly string[]): Promise<void> {
  const quiet = [
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--no-recurse-submodules',
  ];
  await askNetwork(ctx, 'fetching from', ['fetch', ...quiet, OWN_REMOTE, ...refs]);
}
