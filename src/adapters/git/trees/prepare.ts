import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Worktree } from '../../../ports/index.ts';
import { findsEveryProcess } from '../../process/proc.ts';
import { joinBytes, openPermissions, removeTree } from '../../process/remove-tree.ts';
import { type Area, discardArea, getArea, getWorktree, moveSlot, openArea } from '../areas/area.ts';
import { writeGaps } from '../areas/gaps.ts';
import { getTracked } from '../areas/index-file.ts';
import { BASE_REF } from '../areas/nested-repos.ts';
import { getObjectId, writeObjects } from '../objects/write-objects.ts';
import type { GitContext } from '../repo/context.ts';
import { getAgentConfig } from '../repo/git-dir.ts';
import { getGitError } from '../repo/git-error.ts';
import { readIfThere } from '../repo/git-files.ts';
import type { GitResult } from '../repo/run-git.ts';
import { layTree } from './lay-tree.ts';
import { LONG_AGO_S } from './opened.ts';
import { SNAPSHOT_MARK } from './snapshot.ts';

/** Gives an agent its worktree: exactly `commit`, with a git of its own and none of the last agent's traces. */
export async function prepare(ctx: GitContext, slot: number, commit: string): Promise<Worktree> {
  if (!findsEveryProcess()) moveSlot(ctx, slot);
  const area = getArea(ctx, 'slots', slot);
  openArea(ctx, area);
  mkdirSync(dirname(join(area.gitDir, BASE_REF)), { recursive: true });
  // Written first: whoever finds another commit here than his own knows that the files are not his any more.
  writeFileSync(join(area.gitDir, BASE_REF), `${commit}\n`);
  await resetTree(ctx, area, { treeish: commit, head: commit, keep: null });
  rmSync(join(area.gitDir, SNAPSHOT_MARK), { force: true });
  writeFileSync(join(area.gitDir, BASE_REF), `${commit}\n`);
  return getWorktree(area);
}

/** Folders that installing dependencies fills: keeping them saves an install per verification. */
export const DEFAULT_KEEP: readonly string[] = ['node_modules', '.venv', 'target', 'vendor'];

/** Lays out `tree` where no agent works; all that a run left there goes, but for installed dependencies. */
export async function pristine(
  ctx: GitContext,
  slot: number,
  tree: string,
  keep: readonly string[] = DEFAULT_KEEP,
): Promise<Worktree> {
  const area = getArea(ctx, 'verify', slot);
  await resetTree(ctx, area, { treeish: tree, head: await writeHead(ctx, tree), keep });
  evenOut(ctx, area);
  return getWorktree(area);
}

/** What a run added and took away again shows in the time of its folder: nobody may tell the first run from the next. */
function evenOut(ctx: GitContext, { tree, indexFile }: Area): void {
  for (const dir of getTracked(readFileSync(indexFile), ctx.repo.objectFormat).counts.keys())
    utimesSync(joinBytes(tree, Buffer.from(dir, 'latin1')), LONG_AGO_S, LONG_AGO_S);
}

const NOBODY = 'Nobody <nobody@localhost> 946684800 +0000';

/** A commit for builds and tests that ask git for one: of this tree alone, and the same whenever it is laid out. */
async function writeHead(ctx: GitContext, tree: string): Promise<string | null> {
  if (!/^[0-9a-f]{40,64}$/.test(tree)) return null;
  const body = Buffer.from(`tree ${tree}\nauthor ${NOBODY}\ncommitter ${NOBODY}\n\nThis tree\n`);
  const commit = { type: 'commit', body } as const;
  await writeObjects(ctx, [commit]);
  return getObjectId(ctx.repo.objectFormat, commit);
}

/** No repair of the area can help against these. */
const HOPELESS =
  /No space left|not a valid object|not a tree object|missing (blob|tree|object)|bad object|unable to read/i;

interface ResetRequest {
  readonly treeish: string;
  /** Names of the only folders that may stay besides the tree; null when all ignored files may. */
  readonly keep: readonly string[] | null;
  /** What the area's own `.git` names as its commit, if anything. */
  readonly head: string | null;
}

/**
 * Makes the area's files exactly those of a tree, with a fresh `.git` beside them for whoever works
 * there. What an agent or a kill left in the way (permissions, a broken index, nested repositories)
 * is repaired; what cannot be repaired is made anew.
 */
async function resetTree(ctx: GitContext, area: Area, request: ResetRequest): Promise<void> {
  let failure: GitResult | null = null;
  for (const heal of [null, healArea, discardArea]) {
    heal?.(area);
    openArea(ctx, area);
    failure = await tryReset(ctx, area, request);
    if (failure === null) return;
    if (HOPELESS.test(failure.stderr)) break;
  }
  if (failure !== null) throw getGitError(`preparing ${area.tree}`, failure, area.tree);
}

/** Null when it worked. */
async function tryReset(ctx: GitContext, area: Area, request: ResetRequest): Promise<GitResult | null> {
  try {
    const laid = await layTree(ctx, area, request.treeish, request.keep);
    if ('failure' in laid) return laid.failure;
    writeGaps(area, laid.gaps);
    await writeAgentGit(ctx, area, request.head, request.keep !== null);
    return null;
  } catch (error) {
    return { code: 1, stdout: Buffer.alloc(0), stderr: `error: ${(error as Error).message}` };
  }
}

function healArea(area: Area): void {
  openPermissions(area.tree);
  rmSync(join(area.gitDir, 'index'), { force: true });
}

/**
 * Gives whoever works in an area a fresh, independent repository. It reads the user's objects and
 * writes its own, so git works there as usual while the user's refs, stash, config and hooks are not
 * there.
 */
export async function writeAgentGit(
  { repo }: GitContext,
  area: Area,
  head: string | null,
  isWatched = false,
): Promise<void> {
  const gitDir = join(area.tree, '.git');
  // Many small files: meanwhile other lanes go on. What an agent made hard to remove takes more.
  await rm(gitDir, { recursive: true, force: true }).catch(() => removeTree(gitDir));
  for (const dir of ['objects/info', 'refs/heads/harness']) mkdirSync(join(gitDir, dir), { recursive: true });
  const write = (path: string, content: string | Buffer) => writeFileSync(join(gitDir, path), content);
  write('config', getAgentConfig(repo, isWatched));
  write('objects/info/alternates', `${getQuoted(repo.objectsDir)}\n`);
  write('index', readFileSync(area.indexFile));
  write('HEAD', 'ref: refs/heads/harness/work\n');
  const shallow = readIfThere(join(repo.commonDir, 'shallow'));
  if (shallow !== null) write('shallow', shallow);
  if (head !== null) write('refs/heads/harness/work', `${head}\n`);
  // Git reads every file again that is no older than its index.
  const later = Date.now() / 1_000 + 60;
  if (isWatched) utimesSync(join(gitDir, 'index'), later, later);
}

function getQuoted(path: string): string {
  return path.includes('\n') ? JSON.stringify(path) : path;
}
