import { type Area, runArea } from './area.ts';
import type { GitContext } from './context.ts';
import { getTracked, type Tracked } from './index-file.ts';
import { removeTree } from './remove-tree.ts';
import type { GitResult } from './run-git.ts';
import { findUntracked, hasExactNames, removeExcept } from './untracked.ts';

/**
 * Removes from a tree what git does not track: all but the folders named in `keep`, or, when that is
 * null, all that is not ignored. Git is only asked where it knows better: about ignore rules, and
 * about names on a disk that treats different ones as the same. Null when it worked.
 */
export async function cleanTree(
  ctx: GitContext,
  area: Area,
  index: Buffer,
  keep: readonly string[] | null,
): Promise<GitResult | null> {
  const { objectFormat } = ctx.repo;
  const found = findUntracked(area.tree, index, objectFormat);
  for (const path of found.gitDirs) removeTree(path);
  if (!hasExactNames(ctx.repo)) {
    return runClean(ctx, area, keep === null ? [] : getKeepArgs(getTracked(index, objectFormat), keep));
  }
  if (keep === null) return found.paths.length === 0 ? null : runClean(ctx, area, []);
  const names = new Set(keep);
  for (const path of found.paths) removeExcept(path, names);
  return null;
}

async function runClean(ctx: GitContext, area: Area, args: string[]): Promise<GitResult | null> {
  const result = await runArea(ctx, area, ['clean', '-ffdq', ...args]);
  return result.code === 0 ? null : result;
}

/** A folder of such a name that holds tracked files is source, not an installation: nothing else may stay in it. */
function getKeepArgs(tracked: Tracked, keep: readonly string[]): string[] {
  const names = new Set(keep);
  const kept = keep.map(name => `--exclude=${name}/`);
  const source = [...tracked.counts.keys()]
    .map(dir => Buffer.from(dir, 'latin1').toString('utf8'))
    .filter(dir => names.has(dir.slice(dir.lastIndexOf('/') + 1)));
  return ['-x', ...kept, ...source.map(dir => `--exclude=!/${dir.replace(/[\\*?[\]]/g, '\\$&')}/`)];
}
