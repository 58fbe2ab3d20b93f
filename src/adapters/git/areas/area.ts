import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../../../core/base/failure.ts';
import type { Worktree } from '../../../ports/index.ts';
import { readStats, removeTree } from '../../process/remove-tree.ts';
import type { GitContext } from '../repo/context.ts';
import { writeHarnessGit } from '../repo/git-dir.ts';
import { getOwnEnv } from '../repo/git-env.ts';
import { readLine } from '../repo/git-files.ts';
import { clearLocks } from '../repo/locks.ts';
import type { GitOptions, GitResult } from '../repo/run-git.ts';

/** One tree of files of ours with the git directory that watches it from outside. */
export interface Area {
  readonly dir: string;
  /** The files; for an agent's slot, this is all the agent is given. */
  readonly tree: string;
  readonly gitDir: string;
  readonly indexFile: string;
}

/** An agent's slot, or a place for verification; the caller holds its lease. */
export function getArea(ctx: GitContext, kind: 'slots' | 'verify', slot: number): Area {
  const dir = join(ctx.home, kind, readName(ctx, kind, slot));
  const gitDir = join(dir, 'harness.git');
  return { dir, tree: join(dir, 'tree'), gitDir, indexFile: join(gitDir, 'index') };
}

/**
 * Gives a slot another folder, and removes the one it had. Where a process that left its group cannot be found
 * again, an agent of old may still be at work there: whatever it writes, nobody else's work is in its reach.
 */
export function moveSlot(ctx: GitContext, slot: number): void {
  const slots = join(ctx.home, 'slots');
  const name = `${slot}-${randomBytes(4).toString('hex')}`;
  mkdirSync(slots, { recursive: true, mode: 0o700 });
  writeFileSync(join(slots, `${name}.at`), name);
  renameSync(join(slots, `${name}.at`), getNamePath(ctx, slot));
  for (const old of readdirSync(slots)) {
    const isOfSlot = old === String(slot) || old.startsWith(`${slot}-`);
    if (isOfSlot && old !== name) removeTree(join(slots, old));
  }
}

function readName(ctx: GitContext, kind: 'slots' | 'verify', slot: number): string {
  return (kind === 'slots' && readLine(getNamePath(ctx, slot))) || String(slot);
}

function getNamePath(ctx: GitContext, slot: number): string {
  return join(ctx.home, 'slots', `${slot}.at`);
}

/** The area's files as the port names them; a folder made anew has another inode or another birthday. */
export function getWorktree(area: Area): Worktree {
  const { ino, birthtimeMs } = statSync(area.tree);
  return { dir: area.tree, createdAt: `${ino}-${birthtimeMs}` };
}

/**
 * Makes the area's folders if they are not there and clears what a killed git left. A folder that was
 * replaced by a link is never followed: git would empty whatever it points to.
 */
export function openArea(ctx: GitContext, area: Area): void {
  for (const path of [join(area.dir, '..'), area.dir, area.tree, area.gitDir]) {
    const found = readStats(path);
    if (found !== null && !found.isDirectory()) rmSync(path, { force: true });
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }
  checkArea(area);
  writeHarnessGit(ctx.repo, area.gitDir);
  clearLocks(area.gitDir);
}

/** Throws away the files and the index, for the case that they cannot be repaired. */
export function discardArea(area: Area): void {
  checkArea(area);
  removeTree(area.tree);
  removeTree(area.gitDir);
}

/** Runs git on the area's files through our own git directory. */
export function runArea(
  ctx: GitContext,
  area: Area,
  args: string[],
  options: Partial<GitOptions> = {},
): Promise<GitResult> {
  const { commonDir, objectsDir } = ctx.repo;
  const env = getOwnEnv({ gitDir: area.gitDir, commonDir, objectsDir, workTree: area.tree });
  return ctx.run(args, { ...options, cwd: area.tree, env });
}

function checkArea(area: Area): void {
  if (readStats(area.dir) === null || realpathSync(area.dir) === area.dir) return;
  throw new HarnessError(
    'environment',
    `${area.dir} is not the folder the harness made: a link leads elsewhere`,
    {
      file: area.dir,
      fix: `remove the link: rm '${area.dir}'`,
    },
  );
}

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
