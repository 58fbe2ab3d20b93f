import { ObjectGone } from '../../../core/base/failure.ts';
import type { GitContext } from '../repo/context.ts';
import { readObjects } from './objects.ts';
import { getTreeEntries, type TreeEntries } from './tree-object.ts';

/** Directories remembered at most; most of a tree is the same from one candidate to the next. */
const MAX_DIRS = 20_000;

/** Git's mode of a directory in a tree. */
const DIRECTORY = '40000';

/** Lists files with the ids of their contents; only directories not seen before are read, a level at a time. */
export function createBlobLister(ctx: GitContext): (treeish: string) => Promise<Record<string, string>> {
  const seen = new Map<string, TreeEntries>();
  return async treeish => {
    if (seen.size > MAX_DIRS) seen.clear();
    const files: Record<string, string> = {};
    let level: Dir[] = [{ path: '', id: `${treeish}^{tree}` }];
    while (level.length > 0) {
      await readDirs(ctx, seen, level);
      level = level.flatMap(dir => addEntries(files, dir, seen.get(dir.id) ?? new Map()));
    }
    return files;
  };
}

interface Dir {
  readonly path: string;
  readonly id: string;
}

async function readDirs(
  ctx: GitContext,
  seen: Map<string, TreeEntries>,
  dirs: readonly Dir[],
): Promise<void> {
  const missing = [...new Set(dirs.map(dir => dir.id))].filter(id => !seen.has(id));
  const objects = await readObjects(ctx, missing);
  missing.forEach((id, at) => {
    const object = objects[at];
    if (object?.type !== 'tree')
      throw new ObjectGone(`${id} is not a tree of this repository`, ctx.repo.commonDir);
    seen.set(id, getTreeEntries(object.body, ctx.repo.objectFormat));
  });
}

/** Puts the files of one directory on the list, and returns the directories in it. */
function addEntries(files: Record<string, string>, dir: Dir, entries: TreeEntries): Dir[] {
  const below: Dir[] = [];
  for (const [bytes, entry] of entries) {
    const path = `${dir.path}${Buffer.from(bytes, 'latin1').toString('utf8')}`;
    if (entry.mode === DIRECTORY) below.push({ path: `${path}/`, id: entry.id });
    else files[path] = entry.id;
  }
  return below;
}
