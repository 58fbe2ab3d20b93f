import { HarnessError } from '../../../core/base/failure.ts';
import type { Tip } from '../../../ports/index.ts';
import { runMergeTree } from '../objects/commit.ts';
import { isAncestor } from '../objects/history.ts';
import { getCommitFacts, readObjects } from '../objects/objects.ts';
import type { NewObject } from '../objects/write-objects.ts';
import { getObjectId, writeObjects } from '../objects/write-objects.ts';
import type { GitContext } from '../repo/context.ts';
import { KEPT_PREFIX, LANDED_REF } from '../repo/locks.ts';
import type { RepoFacts } from '../repo/repo.ts';
import { moveBranch } from './fast-forward.ts';
import { withLandingTurn } from './landing-turn.ts';
import { readRef } from './refs.ts';

/** The two branches that decide where work starts. */
export interface Heads {
  readonly base: string;
  readonly landed: string | null;
}

interface FoundTip {
  readonly commit: string;
  readonly isLandedAhead: boolean;
}

/** The tip for given heads never changes, unless they have parted: it is worked out once. */
export type TipCache = Map<string, Tip>;

/** Throws where harness/landed holds what nobody has vouched for, before anything is built on it or merged into it. */
export type Vet = (heads: Heads) => Promise<void>;

/** Where the next task starts: the base branch, or harness/landed when that holds all of it and more. */
export async function readTip(
  ctx: GitContext,
  { land, vet = async () => undefined }: { readonly land: 'base' | 'branch'; readonly vet?: Vet | undefined },
  cache: TipCache,
): Promise<Tip> {
  const heads = await readHeads(ctx);
  const key = `${heads.base} ${heads.landed}`;
  const known = cache.get(key);
  if (known) return known;
  await vet(heads);
  const found = (await findTip(ctx, heads)) ?? (await joinHeads(ctx, heads));
  const [object] = await readObjects(ctx, [found.commit]);
  if (object?.type !== 'commit') throw getUnreadableError(ctx, found.commit);
  const ref = land === 'branch' || found.isLandedAhead ? LANDED_REF : getBaseRef(ctx);
  const tip: Tip = { commit: found.commit, tree: getCommitFacts(object).tree, ref };
  if (found.commit === heads.base || found.commit === heads.landed) {
    cache.clear();
    cache.set(key, tip);
  }
  return tip;
}

/** Where both branches are now. */
export async function readHeads(ctx: GitContext): Promise<Heads> {
  const base = await readLastSeen(ctx);
  if (base === null) {
    throw new HarnessError('repo', `the base branch "${ctx.repo.baseBranch}" is gone`, {
      field: 'git.base_branch',
      fix: `create it again (git branch ${ctx.repo.baseBranch} <commit>) or name another one in the config`,
    });
  }
  // What all hosts share lands on the remote's branch, or not at all.
  return { base, landed: ctx.repo.remote === null ? await readRef(ctx, LANDED_REF) : null };
}

/** The base branch here; of a shared remote as it was last seen, or as the clone has it. */
export async function readLastSeen(ctx: GitContext): Promise<string | null> {
  const { remote, baseBranch } = ctx.repo;
  const seen = await readRef(ctx, getBaseRef(ctx));
  return seen ?? (remote === null ? null : readRef(ctx, `refs/remotes/${remote}/${baseBranch}`));
}

/** The commit that holds both branches; null when they have parted. */
export async function findTip(ctx: GitContext, { base, landed }: Heads): Promise<FoundTip | null> {
  if (landed === null || landed === base) return { commit: base, isLandedAhead: false };
  if (await isAncestor(ctx, base, landed)) return { commit: landed, isLandedAhead: true };
  return (await isAncestor(ctx, landed, base)) ? { commit: base, isLandedAhead: false } : null;
}

/** The base branch's full name. */
export function getBaseRef({ repo }: GitContext): string {
  return repo.remote === null ? `refs/heads/${repo.baseBranch}` : `${KEPT_PREFIX}${getTrackingName(repo)}`;
}

/** Under which name the branch of a shared remote is kept here, as it was last seen. */
export function getTrackingName({ baseBranch }: RepoFacts): string {
  return `remote/heads/${baseBranch}`;
}

/** Both branches went on: harness/landed takes the base in, if that needs no decision by a person. */
async function joinHeads(ctx: GitContext, heads: Heads): Promise<FoundTip> {
  const { base, landed } = heads;
  if (landed === null) return { commit: base, isLandedAhead: false };
  const merged = await runMergeTree(ctx, landed, base);
  if (!merged.ok) throw getPartedError(ctx, merged.conflicts);
  const [one, two] = await readObjects(ctx, [landed, base]);
  if (!one || !two) throw getUnreadableError(ctx, one ? base : landed);
  const seconds = Math.max(getCommitFacts(one).seconds, getCommitFacts(two).seconds);
  const who = `Harness <harness@localhost> ${seconds} +0000`;
  const text = `tree ${merged.tree}\nparent ${landed}\nparent ${base}\nauthor ${who}\ncommitter ${who}\n\nMerge branch '${ctx.repo.baseBranch}' into harness/landed\n`;
  const object: NewObject = { type: 'commit', body: Buffer.from(text) };
  await writeObjects(ctx, [object]);
  const commit = getObjectId(ctx.repo.objectFormat, object);
  const move = { ref: LANDED_REF, from: landed, to: commit, reason: `harness: merge ${ctx.repo.baseBranch}` };
  const moved = await withLandingTurn(ctx, commit, null, (marked, turn) => moveBranch(marked, turn, move));
  if (moved.is === 'moved') return { commit, isLandedAhead: true };
  if (moved.is === 'raced') return joinAgain(ctx);
  throw new HarnessError('repo', `harness/landed cannot take in ${ctx.repo.baseBranch}: ${moved.why}`, {
    fix: 'commit or stash the changes there, or switch that checkout to another branch',
  });
}

async function joinAgain(ctx: GitContext): Promise<FoundTip> {
  const heads = await readHeads(ctx);
  return (await findTip(ctx, heads)) ?? joinHeads(ctx, heads);
}

function getPartedError(ctx: GitContext, conflicts: readonly string[]): HarnessError {
  const { baseBranch } = ctx.repo;
  return new HarnessError(
    'repo',
    `${baseBranch} and harness/landed have diverged and conflict in ${conflicts.join(', ')}`,
    {
      fix:
        `merge them yourself: git switch harness/landed && git merge ${baseBranch}, resolve, git commit, git switch ${baseBranch}; ` +
        'or give up what landed there: git branch -D harness/landed',
    },
  );
}

function getUnreadableError(ctx: GitContext, commit: string): HarnessError {
  return new HarnessError('repo', `the commit ${commit} cannot be read: the repository is damaged`, {
    file: ctx.repo.commonDir,
    fix: '`git fsck --full` names what is missing; fetch it again or restore it from a clone',
  });
}
