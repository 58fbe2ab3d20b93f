import { constants, cpSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BUILD_CACHES } from '../sandbox/own-home.ts';
import { getArea } from './area.ts';
import type { GitContext } from './context.ts';
import { readStats, removeTree } from './remove-tree.ts';
import { findKept } from './seal.ts';

/**
 * Lays installed dependencies of one pristine directory into another, with the home folder that the install filled: a
 * copy takes a fraction of an install. Says no where any file knows the place it was installed in (scripts of a venv,
 * built modules): those work only there.
 */
export function copyInstalled(ctx: GitContext, from: number, to: number, keep: readonly string[]): boolean {
  const source = getArea(ctx, 'verify', from);
  const target = getArea(ctx, 'verify', to);
  const home = join(source.dir, 'home');
  const caches = new Set(BUILD_CACHES.map(name => join(home, name)));
  const kept = findKept(source.tree, keep);
  const folders = [...kept, ...(readStats(home)?.isDirectory() ? [home] : [])];
  if (kept.length === 0 || folders.some(dir => names(dir, source.dir, caches))) return false;
  for (const folder of [...findKept(target.tree, keep), join(target.dir, 'home')]) removeTree(folder);
  for (const folder of folders) {
    cpSync(folder, join(target.dir, relative(source.dir, folder)), {
      ...{ recursive: true, verbatimSymlinks: true, preserveTimestamps: true },
      mode: constants.COPYFILE_FICLONE,
      filter: path => !caches.has(path),
    });
  }
  return true;
}

/** Whether a file below a folder holds a path, or a link leads there. */
function names(dir: string, place: string, except: ReadonlySet<string>): boolean {
  return readdirSync(dir, { withFileTypes: true }).some(entry => {
    const path = join(dir, entry.name);
    if (except.has(path)) return false;
    if (entry.isDirectory()) return names(path, place, except);
    if (entry.isSymbolicLink()) return readlinkSync(path).startsWith(place);
    return entry.isFile() && readFileSync(path).includes(place);
  });
}
