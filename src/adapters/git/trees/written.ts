import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readStats } from '../../process/remove-tree.ts';
import { type Area, getArea, runArea } from '../areas/area.ts';
import { findTouched, getFile, readFilled, readSha256 } from '../areas/filled.ts';
import { readGaps } from '../areas/gaps.ts';
import { listModules } from '../areas/submodules.ts';
import { getObjectId } from '../objects/write-objects.ts';
import type { GitContext } from '../repo/context.ts';
import { getGitError } from '../repo/git-error.ts';

/** Nobody reads more names than this. */
const MAX_FILES = 50;

/** Files of the tree in a pristine directory that a run has written over since it was laid out. */
export async function findWritten(ctx: GitContext, slot: number): Promise<readonly string[]> {
  const area = getArea(ctx, 'verify', slot);
  const gaps = new Set(readGaps(area).map(({ path }) => path));
  return (await findIn(ctx, area)).filter(path => !gaps.has(path)).slice(0, MAX_FILES);
}

/** Of one tree and of the submodules in it. */
async function findIn(ctx: GitContext, area: Area): Promise<readonly string[]> {
  const args = ['diff', '--name-only', '-z', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];
  const result = await runArea(ctx, area, args);
  if (result.code !== 0) throw getGitError(`looking at ${area.tree}`, result, area.tree);
  const filled = readFilled(area);
  const suspects = [
    ...result.stdout.toString('latin1').split('\0').filter(Boolean),
    ...findTouched(area, filled),
  ];
  const written: string[] = [];
  for (const path of new Set(suspects)) {
    const known = filled[path];
    const isChanged = known
      ? readSha256(getFile(area, path)) !== known.sha256
      : await isWritten(ctx, area, path);
    if (isChanged) written.push(Buffer.from(path, 'latin1').toString('utf8'));
    if (written.length > MAX_FILES) return written;
  }
  for (const module of listModules(ctx, area)) {
    const name = Buffer.from(module.path, 'latin1').toString('utf8');
    written.push(...(await findIn(module.ctx, module.area)).map(path => `${name}/${path}`));
  }
  return written;
}

/** The same bytes written again are no change, and neither is what git itself does to them on the way. */
async function isWritten(ctx: GitContext, area: Area, path: string): Promise<boolean> {
  const checkedOut = await runArea(ctx, area, [
    'cat-file',
    '--filters',
    `:${Buffer.from(path, 'latin1').toString('utf8')}`,
  ]);
  try {
    return !readFileSync(getFile(area, path)).equals(checkedOut.stdout);
  } catch {
    return true;
  }
}

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
