import { execFile } from 'node:child_process';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
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
export async function copyInstalled(
  ctx: GitContext,
  from: number,
  to: number,
  keep: readonly string[],
): Promise<boolean> {
  const source = getArea(ctx, 'verify', from);
  const target = getArea(ctx, 'verify', to);
  const home = join(source.dir, 'home');
  // Begun anew by every install, and shown to nobody.
  for (const name of BUILD_CACHES) removeTree(join(home, name));
  const kept = findKept(source.tree, keep);
  const folders = [...kept, ...(readStats(home)?.isDirectory() ? [home] : [])];
  if (kept.length === 0 || (await knowsPlace(folders, source.dir))) return false;
  for (const folder of [...findKept(target.tree, keep), join(target.dir, 'home')]) removeTree(folder);
  for (const folder of folders)
    await run('cp', ['-a', folder, join(target.dir, dirname(relative(source.dir, folder)))]);
  return true;
}

/** Whether a file in these folders holds a path, or a link leads there; also where nobody can tell. */
async function knowsPlace(folders: readonly string[], place: string): Promise<boolean> {
  const isHeld = run('grep', ['-rqF', '-e', place, '--', ...folders]).then(
    () => true,
    ({ code }: { readonly code?: unknown }) => code !== 1,
  );
  const pattern = `${place.replace(/[[\]*?\\]/g, '\\$&')}*`;
  const isLinked = run('find', [...folders, '-type', 'l', '-lname', pattern]).then(
    ({ stdout }) => stdout !== '',
    () => true,
  );
  return (await isHeld) || (await isLinked);
}

const run = promisify(execFile);
