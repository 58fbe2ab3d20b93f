import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { GitContext } from './context.ts';

/** The branch that work lands on when the base branch cannot be moved. */
export const LANDED_REF = 'refs/heads/harness/landed';

/** Where proofs are attached to landed commits. */
export const NOTES_REF = 'refs/notes/harness-proofs';

/** Where kept commits are named in the user's repository. */
export const KEPT_PREFIX = 'refs/harness/';

/**
 * Clears every lock below a git directory of ours and returns their paths. The caller is its sole
 * owner: it holds the lease, and no git process of an earlier holder lives. Clearing `index.lock`
 * alone would not do: a killed git leaves HEAD.lock and ref locks as well.
 */
export function clearLocks(dir: string): string[] {
  const cleared: string[] = [];
  for (const entry of readEntries(dir)) {
    const path = join(dir, entry.name);
    if (entry.isDirectory() && entry.name !== 'objects') cleared.push(...clearLocks(path));
    if (!entry.isDirectory() && entry.name.endsWith('.lock')) {
      rmSync(path, { force: true });
      cleared.push(path);
    }
  }
  return cleared;
}

/**
 * Clears the locks of the refs that only the harness writes, in the user's repository. The caller
 * holds the run's lease and no git of ours lives; any other lock there is not ours to remove.
 */
export function clearOwnRefLocks(ctx: GitContext): string[] {
  const { commonDir } = ctx.repo;
  const cleared = clearLocks(join(commonDir, 'refs', 'harness'));
  for (const ref of [LANDED_REF, NOTES_REF]) {
    const lock = join(commonDir, `${ref}.lock`);
    if (!readEntries(dirname(lock)).some(entry => entry.name === basename(lock))) continue;
    rmSync(lock, { force: true });
    cleared.push(lock);
  }
  return cleared;
}

function readEntries(dir: string): { name: string; isDirectory(): boolean }[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
