import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../../../core/base/failure.ts';
import { MANIFEST_FILES } from '../../../core/code/manifest.ts';
import type { Workspace } from '../../../ports/index.ts';
import { commit } from '../objects/commit.ts';
import { compose } from '../objects/compose.ts';
import type { NewObject } from '../objects/write-objects.ts';
import { getObjectId } from '../objects/write-objects.ts';
import { runCheckout } from '../repo/checkouts.ts';
import { expectOk, openContext, runRepo } from '../repo/context.ts';
import type { RepoFacts } from '../repo/repo.ts';
import { runGit } from '../repo/run-git.ts';
import { moveRef, readRef } from './refs.ts';
import { getBaseRef } from './tip.ts';

/** The words by which a commit of a plan is known. */
export const PLAN_TRAILER = 'Harness-Plan:';

interface FirstCommit {
  readonly files: NonNullable<Parameters<Workspace['compose']>[0]['put']>;
  readonly message: string;
  readonly atMs: number;
}

/**
 * The first commit of a repository, with these files and no others. The branch is born in one step; a
 * kill between that and laying out the files is put right by `finishFirstCommit`.
 */
export async function makeFirstCommit(repo: RepoFacts, request: FirstCommit): Promise<string> {
  const ctx = openContext(repo, runGit);
  const empty: NewObject = { type: 'tree', body: Buffer.alloc(0) };
  const tree = await compose(ctx, { tree: getObjectId(repo.objectFormat, empty), put: request.files });
  const { message, atMs } = request;
  const to = await commit(ctx, { tree, parent: null, message, atMs });
  const move = { ref: getBaseRef(ctx), from: null, to, reason: 'harness: plan', gitDir: repo.gitDir };
  if ((await moveRef(ctx, move)) === 'raced') {
    throw new HarnessError('repo', `another process has just made the first commit on ${repo.baseBranch}`, {
      fix: 'look at it, then run the command again',
    });
  }
  await checkOut(repo, to);
  return to;
}

/** Lays out the files of a first commit whose maker was killed before it could; whoever has an index has them. */
export async function finishFirstCommit(repo: RepoFacts): Promise<boolean> {
  if (existsSync(join(repo.gitDir, 'index'))) return false;
  const ctx = openContext(repo, runGit);
  const head = await readRef(ctx, getBaseRef(ctx));
  if (head === null) return false;
  const shown = await runRepo(ctx, ['log', '-2', '--format=%B', head]);
  if (!expectOk(ctx, 'reading the first commit', shown).toString().includes(PLAN_TRAILER)) return false;
  await checkOut(repo, head);
  return true;
}

async function checkOut(repo: RepoFacts, commitId: string): Promise<void> {
  const ctx = openContext(repo, runGit);
  const { root, gitDir } = repo;
  const listed = await runRepo(ctx, ['ls-tree', '-r', '-z', '--full-tree', commitId]);
  const entries = expectOk(ctx, 'listing the first commit', listed).toString().split('\0').filter(Boolean);
  const isInTheWay = entries.some(entry => {
    const path = entry.slice(entry.indexOf('\t') + 1);
    const id = entry.slice(0, entry.indexOf('\t')).split(' ').at(-1);
    const file = join(root, path);
    if (CONTAINED.has(path) || !existsSync(file)) return false;
    return getObjectId(repo.objectFormat, { type: 'blob', body: readFileSync(file) }) !== id;
  });
  expectOk(
    ctx,
    'laying out the first commit',
    await runCheckout(ctx, { root, gitDir }, ['read-tree', isInTheWay ? '-m' : '--reset', '-u', commitId]),
  );
}

/** Files that may have been there before: the commit holds all that was in them. Git keeps any other from being written over. */
const CONTAINED: ReadonlySet<string> = new Set([...MANIFEST_FILES, '.gitignore']);
