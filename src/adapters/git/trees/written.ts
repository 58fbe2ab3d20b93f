import { readFileSync } from 'node:fs';
import { type Area, getArea, runArea } from '../areas/area.ts';
import { findTouched, getFile, readFilled, readSha256 } from '../areas/filled.ts';
import { readGaps } from '../areas/gaps.ts';
import { listModules } from '../areas/submodules.ts';
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
