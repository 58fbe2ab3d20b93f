import { type HarnessError, ObjectGone } from '../../core/failure.ts';
import type { FileChange } from '../../ports.ts';
import type { GitContext } from './context.ts';
import { readObjects } from './objects.ts';
import { getTreeEntries, isDirectory, type TreeEntries, type TreeEntry } from './tree-object.ts';

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
export async function readTreeDiff(ctx: GitContext, from: string, to: string): Promise<FileChange[]> {
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
