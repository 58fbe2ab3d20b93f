import { readdirSync, rmdirSync } from 'node:fs';
import type { Tracked } from './index-file.ts';
import { joinBytes, readStats, removeTree } from './remove-tree.ts';
import type { RepoFacts } from './repo.ts';

/** What lies in a tree and is not tracked. */
export interface Untracked {
  /** Files and whole directories without any tracked file, the topmost of each. */
  readonly paths: readonly Buffer[];
  /** Every `.git` beside tracked files but the tree's own: git itself never sees these. */
  readonly gitDirs: readonly Buffer[];
}

/** Whether a name on disk is the same bytes as in the index; where it need not be, only git can compare them. */
export function hasExactNames(repo: RepoFacts): boolean {
  const { ignorecase, precomposeunicode } = repo.coreSettings;
  return ignorecase !== 'true' && precomposeunicode !== 'true';
}

/**
 * Compares the directories of a tree that git has just reset with its index: much quicker than a
 * process that does the same. A directory that is none any more, but a link, is an error.
 */
export function findUntracked(tree: string, { names }: Tracked): Untracked {
  const paths: Buffer[] = [];
  const gitDirs: Buffer[] = [];
  for (const [dir, tracked] of names) {
    const path = dir === '' ? Buffer.from(tree) : joinBytes(tree, Buffer.from(dir, 'latin1'));
    const found = readStats(path);
    if (found === null) continue;
    if (!found.isDirectory()) throw new Error(`${path} is not the directory that git tracks`);
    for (const name of readdirSync(path, 'latin1')) {
      if (tracked.has(name)) continue;
      if (name !== '.git') paths.push(joinBytes(path, Buffer.from(name, 'latin1')));
      else if (dir !== '') gitDirs.push(joinBytes(path, name));
    }
  }
  return { paths, gitDirs };
}

/** Removes a path, but for directories of the given names and what these lie in. */
export function removeExcept(path: Buffer, keep: ReadonlySet<string>): boolean {
  const found = readStats(path);
  if (!found?.isDirectory()) {
    removeTree(path);
    return true;
  }
  if (keep.has(getName(path))) return false;
  const entries = readdirSync(path, { encoding: 'buffer' });
  const isEmptied = entries.map(name => removeExcept(joinBytes(path, name), keep)).every(Boolean);
  if (isEmptied) rmdirSync(path);
  return isEmptied;
}

function getName(path: Buffer): string {
  return path.toString('utf8', path.lastIndexOf('/') + 1);
}
