import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Area, getArea, runArea } from './area.ts';
import type { GitContext } from './context.ts';
import { getGitError } from './git-error.ts';

/** Nobody reads more names than this. */
const MAX_FILES = 50;

/** Files of the tree in a pristine directory that a run has written over since it was laid out. */
export async function findWritten(ctx: GitContext, slot: number): Promise<readonly string[]> {
  const area = getArea(ctx, 'verify', slot);
  const args = ['diff', '--name-only', '-z', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];
  const result = await runArea(ctx, area, args);
  if (result.code !== 0) throw getGitError(`looking at ${area.tree}`, result, area.tree);
  const suspects = result.stdout.toString('utf8').split('\0').filter(Boolean).slice(0, MAX_FILES);
  const written: string[] = [];
  for (const path of suspects) if (await isWritten(ctx, area, path)) written.push(path);
  return written;
}

/** The same bytes written again are no change, and neither is what git itself does to them on the way. */
async function isWritten(ctx: GitContext, area: Area, path: string): Promise<boolean> {
  const laidOut = await runArea(ctx, area, ['cat-file', '--filters', `:${path}`]);
  try {
    return !readFileSync(join(area.tree, path)).equals(laidOut.stdout);
  } catch {
    return true;
  }
}
