import { isAbsolute } from 'node:path';
import { findRoot, type GitDirs, readGitDirs } from '../../adapters/git/repo/git-files.ts';
import { HarnessError } from '../../core/base/failure.ts';

/** The variable by which workers elsewhere name the folder that has the records. */
export const STATE_ROOT = 'HARNESS_STATE_ROOT';

/**
 * All worktrees of a repository have their records in one place, so a name for it can only be right or wrong. Records
 * of another clone say of commits that they have landed which this one does not have.
 */
export function checkStateRoot({ commonDir, mainRoot }: GitDirs, env: NodeJS.ProcessEnv): void {
  const named = env[STATE_ROOT];
  if (!named) return;
  const root = isAbsolute(named) ? findRoot(named) : null;
  if (root !== null && readGitDirs(root).commonDir === commonDir) return;
  const what = isAbsolute(named) ? `${named} does not belong to this repository` : 'is no absolute path';
  throw new HarnessError('config', `${STATE_ROOT}: ${what}`, {
    file: named,
    field: STATE_ROOT,
    fix: `set it to ${mainRoot}, or leave it out: every worktree (git worktree add) has its records there; a clone has records of its own`,
  });
}
