import { mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../../core/failure.ts';
import type { Place } from '../../ports.ts';
import type { GitContext } from './context.ts';
import { writeHarnessGit } from './git-dir.ts';
import { getOwnEnv } from './git-env.ts';
import { clearLocks } from './locks.ts';
import { readStats, removeTree } from './remove-tree.ts';
import type { GitOptions, GitResult } from './run-git.ts';

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
  const dir = join(ctx.home, kind, String(slot));
  const gitDir = join(dir, 'harness.git');
  return { dir, tree: join(dir, 'tree'), gitDir, indexFile: join(gitDir, 'index') };
}

/** The area's files as the port names them; a folder made anew has another inode or another birthday. */
export function getPlace(area: Area): Place {
  const { ino, birthtimeMs } = statSync(area.tree);
  return { dir: area.tree, birth: `${ino}-${birthtimeMs}` };
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
  checkPlace(area);
  writeHarnessGit(ctx.repo, area.gitDir);
  clearLocks(area.gitDir);
}

/** Throws away the files and the index, for the case that they cannot be repaired. */
export function discardArea(area: Area): void {
  checkPlace(area);
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

function checkPlace(area: Area): void {
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
