import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expectOk, type GitContext, runRepo } from './context.ts';
import type { RepoFacts } from './repo.ts';

/** A working tree of the user's repository. */
export interface Worktree {
  readonly root: string;
  readonly gitDir: string;
  /** The branch its HEAD names; null when that is detached. */
  readonly head: string | null;
}

/** From the files where git keeps this, without a process; null where it keeps it elsewhere, or something is odd. */
export function readWorktrees(repo: RepoFacts): Worktree[] | null {
  const { commonDir, mainRoot } = repo;
  if (existsSync(join(commonDir, 'reftable'))) return null;
  const isBare = mainRoot === commonDir;
  const main = isBare ? [] : [{ root: mainRoot, gitDir: commonDir }];
  const found = [...main, ...readLinked(commonDir)];
  const worktrees = found.flatMap(({ root, gitDir }) => {
    const line = readLine(join(gitDir, 'HEAD'));
    if (root === null || line === null) return [];
    return [{ root, gitDir, head: line.startsWith('ref: ') ? line.slice('ref: '.length).trim() : null }];
  });
  return worktrees.length === found.length ? worktrees : null;
}

/** The same, from git. */
export async function askForWorktrees(ctx: GitContext): Promise<Worktree[]> {
  const result = await runRepo(ctx, ['worktree', 'list', '--porcelain', '-z']);
  const blocks = expectOk(ctx, 'listing worktrees', result).toString('utf8').split('\0\0');
  return blocks.flatMap(block => {
    const lines = block.split('\0');
    const root = lines.find(line => line.startsWith('worktree '))?.slice('worktree '.length);
    if (root === undefined || lines.includes('bare')) return [];
    const branch = lines.find(line => line.startsWith('branch '));
    return [{ root, gitDir: getGitDir(ctx, root), head: branch?.slice('branch '.length) ?? null }];
  });
}

/** The first line of a file, if there is such a file. */
export function readLine(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trimEnd();
  } catch {
    return null;
  }
}

function readLinked(commonDir: string): { root: string | null; gitDir: string }[] {
  const dir = join(commonDir, 'worktrees');
  if (!existsSync(dir)) return [];
  return readdirSync(dir).map(name => {
    const gitDir = join(dir, name);
    const link = readLine(join(gitDir, 'gitdir'));
    return { root: link === null ? null : dirname(resolve(gitDir, link)), gitDir };
  });
}

function getGitDir(ctx: GitContext, root: string): string {
  const link = readLine(join(root, '.git'));
  if (link?.startsWith('gitdir: ')) return resolve(root, link.slice('gitdir: '.length));
  return existsSync(join(root, '.git')) ? join(root, '.git') : ctx.repo.commonDir;
}
