import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import type { RunGit } from '../../src/adapters/git/repo/run-git.ts';
import { getCommand } from './watch-git.ts';

/** The file that the person in the story commits. */
export const BY_HAND = 'by-hand.txt';

/** Git in a repository where somebody commits to main just when the harness is about to move it; once. */
export function commitByHand(run: RunGit, donePath: string | undefined): RunGit {
  if (!donePath) return run;
  return (args, options) => {
    if (getCommand(args) === 'update-ref' && args.includes('refs/heads/main') && !existsSync(donePath)) {
      writeFileSync(donePath, '');
      commit(options.env.GIT_DIR ?? '');
    }
    return run(args, options);
  };
}

function commit(gitDir: string): void {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    GIT_DIR: gitDir,
    GIT_INDEX_FILE: `${gitDir}/hand.index`,
  };
  const git = (args: string[], input = ''): string =>
    execFileSync('git', args, { env, input }).toString().trim();
  git(['read-tree', 'refs/heads/main']);
  const blob = git(['hash-object', '-w', '--stdin'], 'by hand\n');
  git(['update-index', '--add', '--cacheinfo', `100644,${blob},${BY_HAND}`]);
  const made = git(['commit-tree', git(['write-tree']), '-p', 'refs/heads/main', '-m', 'By hand']);
  git(['update-ref', 'refs/heads/main', made]);
}
