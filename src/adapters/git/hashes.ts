import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { getArea } from './area.ts';
import type { GitContext } from './context.ts';
import { readStats } from './remove-tree.ts';
import { getObjectId } from './write-objects.ts';

/**
 * Hashes of files on disk, read without git: they equal the ids that `blobId` gives for the same
 * content. A path that leads through a link is not in the tree, whatever the link points to.
 */
export function readHashes(
  ctx: GitContext,
  slot: number,
  paths: readonly string[],
): Record<string, string | null> {
  const { tree } = getArea(ctx, 'slots', slot);
  return Object.fromEntries(paths.map(path => [path, readHash(ctx, tree, path)]));
}

function readHash(ctx: GitContext, tree: string, path: string): string | null {
  const parts = path.split('/').filter(part => part !== '' && part !== '.');
  if (parts.length === 0 || parts.includes('..')) return null;
  for (let depth = 0; depth < parts.length; depth++) {
    if (!readStats(join(tree, ...parts.slice(0, depth)))?.isDirectory()) return null;
  }
  const file = join(tree, ...parts);
  const found = readStats(file);
  if (!found?.isFile() && !found?.isSymbolicLink()) return null;
  const body = found.isFile() ? readFileSync(file) : readlinkSync(file, { encoding: 'buffer' });
  return getObjectId(ctx.repo.objectFormat, { type: 'blob', body });
}
