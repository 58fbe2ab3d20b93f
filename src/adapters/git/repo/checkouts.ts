import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { FileChange } from '../../../ports/index.ts';
import { readStats } from '../../process/remove-tree.ts';
import { expectOk, type GitContext, runRepo } from './context.ts';
import { getCheckoutEnv, SAFE_CONFIG } from './git-env.ts';
import { readLine } from './git-files.ts';
import { getOperations } from './repo.ts';
import type { GitOptions, GitResult } from './run-git.ts';

/** A working tree of the user that has a branch checked out. */
export interface Checkout {
  readonly root: string;
  readonly gitDir: string;
  /** False when the branch is only what a rebase or bisect there will come back to. */
  readonly isOnBranch: boolean;
}

/** The user's working trees that a move of this branch would concern. */
export async function readCheckouts(ctx: GitContext, ref: string): Promise<Checkout[]> {
  const result = await runRepo(ctx, ['worktree', 'list', '--porcelain', '-z']);
  const blocks = expectOk(ctx, 'listing worktrees', result).toString('utf8').split('\0\0');
  return blocks.flatMap((block, at) => {
    const lines = block.split('\0');
    const root = lines.find(line => line.startsWith('worktree '))?.slice('worktree '.length);
    if (root === undefined || lines.includes('bare') || !existsSync(root)) return [];
    // Git names the main worktree first.
    const gitDir = at === 0 ? ctx.repo.commonDir : readGitDir(root);
    const isOnBranch = lines.includes(`branch ${ref}`);
    return isOnBranch || isReturningTo(gitDir, ref) ? [{ root, gitDir, isOnBranch }] : [];
  });
}

/** Why this checkout must be left as it is, in words for its owner; null when it may follow the branch. */
export async function findObstacle(
  ctx: GitContext,
  checkout: Checkout,
  changes: Promise<readonly FileChange[]>,
): Promise<string | null> {
  if (!existsSync(join(checkout.gitDir, 'HEAD')))
    return `the .git file of ${checkout.root} leads nowhere (git worktree repair)`;
  const [operation] = getOperations(checkout.gitDir);
  if (operation !== undefined) return `a ${operation} is in progress in ${checkout.root}`;
  if (!checkout.isOnBranch) return `${checkout.root} will come back to the branch`;
  if (existsSync(join(checkout.gitDir, 'index.lock')))
    return `git is at work in ${checkout.root} (index.lock)`;
  const [status, changed] = await Promise.all([
    runCheckout(ctx, checkout, ['status', '--porcelain', '-z', '--untracked-files=no']),
    changes,
  ]);
  if (status.code !== 0) return `git status fails in ${checkout.root}: ${status.stderr.split('\n')[0]}`;
  if (status.stdout.length > 0) return `${checkout.root} has uncommitted changes`;
  const inTheWay = findInTheWay(checkout.root, changed);
  return inTheWay === null ? null : `${inTheWay} in ${checkout.root} is not tracked and would be overwritten`;
}

/** Runs git in the user's checkout, without hooks or monitors, with the filters they have configured. */
export function runCheckout(
  ctx: GitContext,
  checkout: Pick<Checkout, 'root' | 'gitDir'>,
  args: string[],
  options: Partial<GitOptions> = {},
): Promise<GitResult> {
  const env = { ...getCheckoutEnv(checkout.gitDir, checkout.root), ...options.env };
  return ctx.run([...SAFE_CONFIG, ...args], { ...options, cwd: checkout.root, env });
}

/** A file, ignored ones too, or a link at or above a path that the move would create. */
function findInTheWay(root: string, changes: readonly FileChange[]): string | null {
  const deleted = new Set(changes.filter(change => change.kind === 'deleted').map(change => change.path));
  for (const { path, kind } of changes) {
    if (kind !== 'added') continue;
    const parts = path.split('/');
    for (let depth = 1; depth <= parts.length; depth++) {
      const part = parts.slice(0, depth).join('/');
      const found = readStats(join(root, part));
      if (found === null || deleted.has(part)) break;
      const isWay = depth < parts.length && found.isDirectory();
      if (!isWay && !isEmptiedByMove(part, deleted)) return part;
    }
  }
  return null;
}

/** A directory whose tracked files all go may become a file; git itself sees to anything else in it. */
function isEmptiedByMove(path: string, deleted: ReadonlySet<string>): boolean {
  return [...deleted].some(gone => gone.startsWith(`${path}/`));
}

function isReturningTo(gitDir: string, ref: string): boolean {
  const branch = ref.slice('refs/heads/'.length);
  const heads = ['rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START'].map(name =>
    readLine(join(gitDir, name)),
  );
  return heads.includes(ref) || heads.includes(branch);
}

/** Where a linked worktree's `.git` file leads. */
function readGitDir(root: string): string {
  const file = join(root, '.git');
  const link = readLine(file);
  return link?.startsWith('gitdir: ') ? resolve(root, link.slice('gitdir: '.length)) : file;
}
