import { constants, cpSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { getArea } from './area.ts';
import type { GitContext } from './context.ts';
import { removeTree } from './remove-tree.ts';
import { findKept } from './seal.ts';

/**
 * Lays installed dependencies of one pristine directory into another: a copy takes a fraction of an install. Says no
 * where any file knows the place it was installed in (scripts of a venv, built modules): those work only there.
 */
export function copyInstalled(ctx: GitContext, from: number, to: number, keep: readonly string[]): boolean {
  const source = getArea(ctx, 'verify', from).tree;
  const target = getArea(ctx, 'verify', to).tree;
  const folders = findKept(source, keep);
  if (folders.length === 0 || folders.some(dir => names(dir, source))) return false;
  for (const folder of findKept(target, keep)) removeTree(folder);
  for (const folder of folders) {
    cpSync(folder, join(target, relative(source, folder)), {
      ...{ recursive: true, verbatimSymlinks: true, preserveTimestamps: true },
      mode: constants.COPYFILE_FICLONE,
    });
  }
  return true;
}

/** Whether a file below a folder holds a path, or a link leads there. */
function names(dir: string, place: string): boolean {
  return readdirSync(dir, { withFileTypes: true }).some(entry => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return names(path, place);
    if (entry.isSymbolicLink()) return readlinkSync(path).startsWith(place);
    return entry.isFile() && readFileSync(path).includes(place);
  });
}
