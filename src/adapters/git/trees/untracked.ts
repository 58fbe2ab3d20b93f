import { readdirSync, rmdirSync } from 'node:fs';
import { getFolded } from '../../../core/base/tree-path.ts';
import { joinBytes, readStats, removeTree } from '../../process/remove-tree.ts';
import { getNames, getTracked } from '../areas/index-file.ts';
import type { ObjectFormat, RepoFacts } from '../repo/repo.ts';

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
 * Compares the directories of a tree with the index that git has just reset it to: much quicker than a
 * process that does the same. All that is tracked is there, so a directory with as many names as are
 * tracked in it holds nothing else. A directory that is none any more, but a link, is an error.
 */
export function findUntracked(tree: string, index: Buffer, format: ObjectFormat): Untracked {
  const full = new Map<string, readonly string[]>();
  for (const [dir, count] of getTracked(index, format).counts) {
    const names = readNames(getPath(tree, dir));
    const ownGit = dir === '' ? names.indexOf('.git') : -1;
    if (ownGit >= 0) names.splice(ownGit, 1);
    if (names.length !== count) full.set(dir, names);
  }
  const paths: Buffer[] = [];
  const gitDirs: Buffer[] = [];
  const tracked = full.size > 0 ? getNames(index, format, new Set(full.keys())) : new Map();
  for (const [dir, names] of full) {
    for (const name of names) {
      if (tracked.get(dir)?.has(name)) continue;
      const path = joinBytes(getPath(tree, dir), Buffer.from(name, 'latin1'));
      if (name === '.git') gitDirs.push(path);
      else paths.push(path);
    }
  }
  return { paths, gitDirs };
}

/**
 * Names that a disk which folds them has in another spelling than the index, by the path that is tracked: git
 * itself goes on with the old one. The same characters composed otherwise are the same spelling.
 */
export function findRespelt(tree: string, index: Buffer, format: ObjectFormat): ReadonlyMap<string, string> {
  const respelt = new Map<string, string>();
  const dirs = new Set(getTracked(index, format).counts.keys());
  for (const [dir, tracked] of getNames(index, format, dirs)) {
    const there = readNames(getPath(tree, dir));
    const spelt = new Set(there.map(getComposed));
    for (const name of tracked) {
      if (spelt.has(getComposed(name))) continue;
      const now = there.find(other => getFolded(getComposed(other)) === getFolded(getComposed(name)));
      if (now !== undefined) respelt.set(dir === '' ? name : `${dir}/${name}`, now);
    }
  }
  return respelt;
}

function getComposed(name: string): string {
  return Buffer.from(name, 'latin1').toString('utf8').normalize('NFC');
}

function readNames(path: Buffer): string[] {
  const found = readStats(path);
  if (found === null) throw new Error(`${path} is missing`);
  if (!found.isDirectory()) throw new Error(`${path} is not the directory that git tracks`);
  return readdirSync(path, 'latin1');
}

function getPath(tree: string, dir: string): Buffer {
  return dir === ''
    ? Buffer.from(tree)
    : Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(dir, 'latin1')]);
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
