import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readStats, removeTree } from '../../process/remove-tree.ts';
import type { GitContext } from '../repo/context.ts';

/** Removes the worktrees we made for this repository and nothing else; the caller holds all their leases. */
export function cleanup(ctx: GitContext): string[] {
  const removed: string[] = [];
  for (const kind of ['slots', 'verify']) {
    const dir = join(ctx.home, kind);
    if (!readStats(dir)?.isDirectory()) continue;
    for (const name of readdirSync(dir).filter(name => /^\d+(-[0-9a-f]+|\.at)?$/.test(name))) {
      removeTree(join(dir, name));
      removed.push(join(dir, name));
    }
  }
  return removed;
}
