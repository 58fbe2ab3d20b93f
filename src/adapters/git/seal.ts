import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Area, getArea } from './area.ts';
import type { GitContext } from './context.ts';

/** Caches that tools write into installed folders as they run; they go before every run. */
const CACHES = ['.cache', '.vite', '.vitest', '.vite-temp'];

/** Remembers installed dependencies as they are now: code under test can write there, and must not be believed. */
export function seal(ctx: GitContext, slot: number, keep: readonly string[]): void {
  const area = getArea(ctx, 'verify', slot);
  writeFileSync(getSealPath(area), getFingerprint(area.tree, keep));
}

/** Whether they are still what was sealed; anything added, changed or taken away since says no. */
export function isSealed(ctx: GitContext, slot: number, keep: readonly string[]): boolean {
  const area = getArea(ctx, 'verify', slot);
  try {
    return readFileSync(getSealPath(area), 'utf8') === getFingerprint(area.tree, keep);
  } catch {
    return false;
  }
}

function getSealPath(area: Area): string {
  return join(area.dir, 'sealed');
}

/** Names, sizes and times of change; the last cannot be set back without the clock. */
function getFingerprint(tree: string, keep: readonly string[]): string {
  const hash = createHash('sha256');
  for (const dir of findKept(tree, keep)) {
    for (const cache of CACHES) rmSync(join(dir, cache), { recursive: true, force: true });
    addFolder(hash, dir);
  }
  return hash.digest('hex');
}

function findKept(dir: string, keep: readonly string[]): string[] {
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
    if (stats.isDirectory()) {
      hash.update(`${path}\n`);
      addFolder(hash, path);
    } else hash.update(`${path} ${stats.size} ${stats.ino} ${stats.mtimeMs} ${stats.ctimeMs}\n`);
  }
}
