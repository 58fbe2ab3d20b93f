import { type HarnessError, ObjectGone } from '../../../core/base/failure.ts';
import type { FileChange, Landing } from '../../../ports/index.ts';
import { expectOk, type GitContext, runScratch } from '../repo/context.ts';
import { MAX_LISTS, remember } from '../repo/known.ts';
import { getCommitFacts, readObjectIds, readObjects } from './objects.ts';
import { getTreeEntries, isDirectory, type TreeEntries, type TreeEntry } from './tree-object.ts';

/** The trailers that make a landed commit recognisable. */
export const TRAILERS = {
  task: 'Harness-Task',
  attempt: 'Harness-Attempt',
  proof: 'Harness-Proof',
  record: 'Harness-Record',
  unproven: 'Harness-Unproven',
} as const;

/** Every file of a commit or tree. */
export async function listFiles(ctx: GitContext, treeish: string): Promise<readonly string[]> {
  const { files } = ctx.known;
  const known = files.get(treeish);
  if (known || !isFixed(treeish)) return known ?? readFiles(ctx, treeish);
  const found = readFiles(ctx, treeish);
  remember(files, treeish, found, MAX_LISTS);
  found.catch(() => files.delete(treeish));
  return found;
}

async function readFiles(ctx: GitContext, treeish: string): Promise<string[]> {
  const result = await runScratch(ctx, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', treeish]);
  return expectOk(ctx, 'listing files', result).toString('utf8').split('\0').slice(0, -1);
}

/** The commit before the last one that changed a file; null where there is none, as at the end of a shallow clone. */
export async function findEarlier(ctx: GitContext, commit: string, path: string): Promise<string | null> {
  const args = ['rev-list', '-1', '--parents', commit, '--', `:(top,literal)${path}`];
  const result = await runScratch(ctx, args);
  const [, parent] = expectOk(ctx, 'reading the history of a file', result)
    .toString('utf8')
    .trim()
    .split(' ');
  return parent ?? null;
}

/** Whether any text file of a tree, but the excepted ones, has one of these words in it. */
export async function hasWords(
  ctx: GitContext,
  tree: string,
  words: readonly string[],
  except: readonly string[],
): Promise<boolean> {
  const patterns = words.flatMap(word => ['-e', word]);
  const pathspecs = [':/', ...except.map(path => `:(top,exclude)${path}`)];
  const args = ['grep', '-q', '-I', '-F', ...patterns, tree, '--', ...pathspecs];
  const result = await runScratch(ctx, args);
  if (result.code !== 1) expectOk(ctx, 'searching files', result);
  return result.code === 0;
}

/** As many words as are looked for at once: a command line has its limits. */
const MAX_WORDS = 200;

/** The text files of a tree, but the excepted ones, that have one of these words in them. */
export async function findWords(
  ctx: GitContext,
  tree: string,
  words: readonly string[],
  except: readonly string[],
): Promise<readonly string[]> {
  const found = new Set<string>();
  const pathspecs = [':/', ...except.map(path => `:(top,exclude)${path}`)];
  for (let at = 0; at < words.length; at += MAX_WORDS) {
    const patterns = words.slice(at, at + MAX_WORDS).flatMap(word => ['-e', word]);
    const args = ['grep', '-l', '-z', '--full-name', '-I', '-F', ...patterns, tree, '--', ...pathspecs];
    const result = await runScratch(ctx, args);
    if (result.code === 1) continue;
    const names = expectOk(ctx, 'searching files', result).toString('utf8').split('\0').slice(0, -1);
    for (const name of names) found.add(name.slice(tree.length + 1));
  }
  return [...found];
}

/** What differs between two commits or trees, file by file; worked out once for the same two. */
export async function readChanges(ctx: GitContext, from: string, to: string): Promise<readonly FileChange[]> {
  const key = `${from} ${to}`;
  const known = ctx.known.changes.get(key);
  if (known) return known;
  const changes = await readTreeDiff(ctx, from, to);
  if (isFixed(from) && isFixed(to)) remember(ctx.known.changes, key, changes);
  return changes;
}

/** Landed commits in `from..to`, oldest first; from the beginning when `from` is no longer in the repository. */
export async function findLandings(ctx: GitContext, from: string, to: string): Promise<Landing[]> {
  if (from === to) return [];
  const [known] = await readObjectIds(ctx, [`${from}^{commit}`]);
  const trailer = (key: string): string => `%(trailers:key=${key},valueonly,separator=%x01)`;
  const format = `--format=%H%x02${Object.values(TRAILERS).map(trailer).join('%x02')}`;
  const range = known ? [`${known}..${to}`] : [to];
  const result = await runScratch(ctx, ['log', '-z', '--reverse', format, ...range]);
  const entries = expectOk(ctx, 'reading the history', result).toString('utf8').split('\0');
  return entries.flatMap(entry => {
    const [commit = '', ...values] = entry.trim().split('\x02');
    const [task, attempt = '', proof, record, unproven] = values.map(value => value.split('\x01')[0]?.trim());
    if (!task) return [];
    const hashes = { ...(proof ? { proof } : {}), ...(record ? { record } : {}) };
    const word = unproven ? { unproven } : {};
    return [{ task, attempt: Number.parseInt(attempt, 10) || 0, commit, ...hashes, ...word }];
  });
}

/** Whether `older` is `newer` or one of its ancestors. Mostly it is the parent, or the parent's ancestor as is known. */
export async function isAncestor(ctx: GitContext, older: string, newer: string): Promise<boolean> {
  if (older === newer) return true;
  const { ancestors } = ctx.known;
  const known = ancestors.get(`${older} ${newer}`);
  if (known !== undefined) return known;
  const [object] = await readObjects(ctx, [newer]);
  const parents = object?.type === 'commit' ? getCommitFacts(object).parents : [];
  const isNear = parents.some(parent => parent === older || ancestors.get(`${older} ${parent}`) === true);
  const found = isNear || (await askForAncestor(ctx, older, newer));
  if (isFixed(older) && isFixed(newer)) remember(ancestors, `${older} ${newer}`, found);
  return found;
}

async function askForAncestor(ctx: GitContext, older: string, newer: string): Promise<boolean> {
  const result = await runScratch(ctx, ['merge-base', '--is-ancestor', older, newer]);
  if (result.code !== 1) expectOk(ctx, 'comparing histories', result);
  return result.code === 0;
}

function isFixed(name: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(name);
}

/** Two versions of one directory that differ; null where there is none. Paths are bytes as latin1 text. */
interface Pair {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * What differs between two commits or trees, file by file; a rename is a file gone and a file added.
 * Only directories that differ are read, all of one depth at once.
 */
async function readTreeDiff(ctx: GitContext, from: string, to: string): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  let pairs: Pair[] = [{ path: '', before: `${from}^{tree}`, after: `${to}^{tree}` }];
  while (pairs.length > 0) {
    const dirs = await readDirs(
      ctx,
      pairs.flatMap(({ before, after }) => [before, after]),
    );
    pairs = pairs.flatMap(({ path }, at) => {
      const [before, after] = [dirs[at * 2] ?? new Map(), dirs[at * 2 + 1] ?? new Map()];
      return compareDirs(path, before, after, changes);
    });
  }
  return changes.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

async function readDirs(
  ctx: GitContext,
  names: readonly (string | null)[],
): Promise<(TreeEntries | undefined)[]> {
  const wanted = names.filter(name => name !== null);
  const objects = await readObjects(ctx, wanted);
  const found = new Map<string, TreeEntries>();
  wanted.forEach((name, at) => {
    const object = objects[at];
    if (object?.type !== 'tree') throw getUnreadableError(ctx, name);
    found.set(name, getTreeEntries(object.body, ctx.repo.objectFormat));
  });
  return names.map(name => (name === null ? undefined : found.get(name)));
}

/** Adds the files that differ; returns the directories to look into. */
function compareDirs(dir: string, before: TreeEntries, after: TreeEntries, changes: FileChange[]): Pair[] {
  const deeper: Pair[] = [];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(name), after.get(name)];
    if (was?.id === is?.id && was?.mode === is?.mode) continue;
    const path = dir === '' ? name : `${dir}/${name}`;
    if (isDirectory(was) || isDirectory(is)) {
      deeper.push({ path, before: isDirectory(was) ? was.id : null, after: isDirectory(is) ? is.id : null });
    }
    const change = getChange(path, isDirectory(was) ? undefined : was, isDirectory(is) ? undefined : is);
    if (change) changes.push(change);
  }
  return deeper;
}

function getChange(name: string, was: TreeEntry | undefined, is: TreeEntry | undefined): FileChange | null {
  const path = Buffer.from(name, 'latin1').toString('utf8');
  const wasMode = was && is && was.mode !== is.mode ? { wasMode: was.mode } : {};
  if (is) return { path, kind: was ? 'modified' : 'added', mode: is.mode, ...wasMode };
  return was ? { path, kind: 'deleted', mode: '000000' } : null;
}

function getUnreadableError(ctx: GitContext, name: string): HarnessError {
  return new ObjectGone(
    `${name.replace('^{tree}', '')} cannot be read from the repository`,
    ctx.repo.commonDir,
  );
}
