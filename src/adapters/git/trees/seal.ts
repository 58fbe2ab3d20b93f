import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Area, getArea } from '../areas/area.ts';
import type { GitContext } from '../repo/context.ts';

/** Caches that tools write into installed folders as they run, at whatever depth; they go before every run. */
const CACHES = ['.cache', '.vite', '.vitest', '.vite-temp'];

/** Remembers installed dependencies as they are now: code under test can write there, and must not be believed. */
export function seal(ctx: GitContext, slot: number, keep: readonly string[]): void {
  const area = getArea(ctx, 'verify', slot);
  const folders = findKept(area.tree, keep);
  for (const dir of folders)
    for (const cache of CACHES) rmSync(join(dir, cache), { recursive: true, force: true });
  // A package may bring a folder of that name.
  const brought = folders.flatMap(findCaches);
  writeFileSync(getSealPath(area), JSON.stringify({ brought, print: getFingerprint(folders) }));
}

/** Whether they are still what was sealed; anything added, changed or taken away since says no. */
export function isSealed(ctx: GitContext, slot: number, keep: readonly string[]): boolean {
  const area = getArea(ctx, 'verify', slot);
  try {
    const { brought, print } = JSON.parse(readFileSync(getSealPath(area), 'utf8')) as Seal;
    const folders = findKept(area.tree, keep);
    for (const cache of folders.flatMap(findCaches))
      if (!brought.includes(cache)) rmSync(cache, { recursive: true, force: true });
    return print === getFingerprint(folders);
  } catch {
    return false;
  }
}

export function getSealPath(area: Area): string {
  return join(area.dir, 'sealed');
}

interface Seal {
  /** Folders that are called like caches and came with what was installed. */
  readonly brought: readonly string[];
  readonly print: string;
}

function findCaches(dir: string): readonly string[] {
  const folders = readdirSync(dir, { withFileTypes: true }).filter(entry => entry.isDirectory());
  return folders.flatMap(({ name }) => {
    const path = join(dir, name);
    return CACHES.includes(name) ? [path] : findCaches(path);
  });
}

/** Names, sizes and times of change; the last cannot be set back without the clock. */
function getFingerprint(folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const dir of folders) addFolder(hash, dir);
  return hash.digest('hex');
}

/** Folders that installing fills, the topmost of each. */
export function findKept(dir: string, keep: readonly string[]): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== '.git')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = join(dir, entry.name);
      return keep.includes(entry.name) ? [path] : findKept(path, keep);
    });
}

function addFolder(hash: ReturnType<typeof createHash>, dir: string): void {
  for (const name of readdirSync(dir).sort()) {
    const path = join(dir, name);
    const stats = lstatSync(path);
    // An empty folder is nothing to load; a cache may leave one.
    if (stats.isDirectory()) addFolder(hash, path);
    else hash.update(`${path} ${stats.size} ${stats.ino} ${stats.mtimeMs} ${stats.ctimeMs}\n`);
  }
}
