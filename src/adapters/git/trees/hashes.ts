import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readStats } from '../../process/remove-tree.ts';
import { getArea } from '../areas/area.ts';
import { getObjectId } from '../objects/write-objects.ts';
import type { GitContext } from '../repo/context.ts';

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
  return readEntry(ctx, join(tree, ...parts))?.id ?? null;
}

/** One file, link or folder, as git would name it. */
function readEntry(ctx: GitContext, file: string): { mode: string; id: string } | null {
  const { objectFormat } = ctx.repo;
  const found = readStats(file);
  if (found?.isDirectory()) return readFolder(ctx, file);
  if (!found?.isFile() && !found?.isSymbolicLink()) return null;
  const body = found.isFile() ? readFileSync(file) : readlinkSync(file, { encoding: 'buffer' });
  const mode = found.isFile() ? (found.mode & 0o100 ? '100755' : '100644') : '120000';
  return { mode, id: getObjectId(objectFormat, { type: 'blob', body }) };
}

/** A folder with nothing in it is none, as for git. */
function readFolder(ctx: GitContext, dir: string): { mode: string; id: string } | null {
  const entries = readdirSync(dir)
    .flatMap(name => {
      const entry = readEntry(ctx, join(dir, name));
      return entry
        ? [{ ...entry, name, order: Buffer.from(entry.mode === '40000' ? `${name}/` : name) }]
        : [];
    })
    .sort((a, b) => Buffer.compare(a.order, b.order));
  if (entries.length === 0) return null;
  const lines = entries.map(({ mode, name, id }) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
  );
  return {
    mode: '40000',
    id: getObjectId(ctx.repo.objectFormat, { type: 'tree', body: Buffer.concat(lines) }),
  };
}
