import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { readStats, removeTree } from '../../process/remove-tree.ts';
import { BUILD_CACHES } from '../../sandbox/own-home.ts';
import { type Area, getArea } from '../areas/area.ts';
import { listTracked } from '../areas/index-file.ts';
import type { GitContext } from '../repo/context.ts';
import { findKept, getSealPath } from './seal.ts';

/**
 * Lays installed dependencies of one pristine directory into another: a copy takes a fraction of an install. Says no
 * where a folder of that name is the project's own in either, where the install left anything in its home folder, and
 * where any file knows the place it was installed in (scripts of a venv, built modules): those work only there.
 */
export async function copyInstalled(
  ctx: GitContext,
  from: number,
  to: number,
  keep: readonly string[],
): Promise<boolean> {
  const source = getArea(ctx, 'verify', from);
  const target = getArea(ctx, 'verify', to);
  const folders = findKept(source.tree, keep);
  const before = findKept(target.tree, keep);
  if (folders.length === 0 || isHomeUsed(join(source.dir, 'home'))) return false;
  if (holdTracked(ctx, source, folders) || holdTracked(ctx, target, before)) return false;
  const sealed = readStats(getSealPath(source));
  const stamp = `${source.dir} ${sealed?.ino} ${sealed?.mtimeMs}`;
  const isBound = bound.get(stamp) ?? (await knowsPlace(folders, source.dir));
  bound.set(stamp, isBound);
  if (isBound) return false;
  for (const folder of before) removeTree(folder);
  for (const folder of folders) {
    const to = join(target.tree, relative(source.tree, folder));
    mkdirSync(dirname(to), { recursive: true });
    await run('cp', ['-a', folder, to]);
  }
  return true;
}

/** Whether an install works only in its place, by what was sealed: thousands of files need be read but once. */
const bound = new Map<string, boolean>();

/** What tests would be shown of it: never the tools' own caches, and what was only mounted there has left an empty name. */
function isHomeUsed(home: string): boolean {
  const isUsed = (name: string): boolean => {
    const found = readStats(join(home, name));
    if (!found?.isDirectory()) return found !== null && (found.size > 0 || found.isSymbolicLink());
    return !HIDDEN.has(name) && readdirSync(join(home, name)).some(entry => isUsed(join(name, entry)));
  };
  return isUsed('');
}

const HIDDEN = new Set(
  BUILD_CACHES.map(name => (name.startsWith('.cache/') ? name : name.replace(/\/.*/, ''))),
);

/** A folder that holds files of the project is source, whatever it is called. */
function holdTracked(ctx: GitContext, { tree, indexFile }: Area, folders: readonly string[]): boolean {
  const starts = folders.map(folder => `${relative(tree, folder)}/`);
  const tracked = [...listTracked(readFileSync(indexFile), ctx.repo.objectFormat)];
  return tracked.some(path => starts.some(start => path.toString('utf8').startsWith(start)));
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
