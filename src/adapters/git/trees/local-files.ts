import { createHash } from 'node:crypto';
import {
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Loan } from '../../../ports/index.ts';
import { readStats, removeTree } from '../../process/remove-tree.ts';
import { getArea } from '../areas/area.ts';
import type { GitContext } from '../repo/context.ts';
import { getCheckoutEnv } from '../repo/git-env.ts';
import { LONG_AGO_S } from './opened.ts';

/** Enough for settings and samples; more than that is a data set, which no test suite needs to be judged. */
const MAX_FILES = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * What only the user's checkout has, ignored or not yet added: a pristine directory can be lent it for one run.
 * Folders that an install fills, and our own, are left out.
 */
export async function lendLocal(ctx: GitContext, slot: number, keep: readonly string[]): Promise<Loan> {
  const { tree } = getArea(ctx, 'verify', slot);
  const { root } = ctx.repo;
  const isOurs = (path: string) => ['.harness', '.git', ...keep].includes(basename(path));
  const paths: string[] = [];
  const stamp = createHash('sha256');
  let bytes = 0;
  const visit = (path: string): void => {
    const stats = paths.length < MAX_FILES && !isOurs(path) ? readStats(join(root, path)) : null;
    if (stats?.isDirectory()) for (const name of readdirSync(join(root, path))) visit(join(path, name));
    if (!stats?.isFile() || bytes + stats.size > MAX_BYTES || readStats(join(tree, path))) return;
    bytes += stats.size;
    paths.push(path);
    stamp.update(`${path}\0${stats.size}\0${stats.mtimeMs}\0`);
  };
  for (const path of await listUntracked(ctx)) visit(path);
  return { paths, stamp: stamp.digest('hex'), lay: () => lay(root, tree, paths) };
}

/** Files and whole folders of the checkout that git does not track. */
async function listUntracked({ repo, run }: GitContext): Promise<readonly string[]> {
  if (repo.root === '') return [];
  const args = ['-c', 'core.fsmonitor=false', 'ls-files', '--others', '--directory', '-z', '--full-name'];
  const result = await run(args, { cwd: repo.root, env: getCheckoutEnv(repo.gitDir, repo.root) });
  if (result.code !== 0) return [];
  const found = result.stdout.toString('utf8').split('\0');
  return found.filter(path => path !== '').map(path => path.replace(/\/$/, ''));
}

/** Copies them; the answer takes them out again and tells which were opened, or all where no disk tells that. */
function lay(root: string, tree: string, paths: readonly string[]): () => readonly string[] {
  const made: string[] = [];
  const laid = paths.filter(path => {
    const target = join(tree, path);
    const folder = mkdirSync(dirname(target), { recursive: true });
    if (folder !== undefined) made.push(folder);
    // A link in the tree may lead out of it.
    if (!`${realpathSync(dirname(target))}/`.startsWith(`${realpathSync(tree)}/`)) return false;
    copyFileSync(join(root, path), target, constants.COPYFILE_EXCL);
    utimesSync(target, LONG_AGO_S, lstatSync(target).mtimeMs / 1_000);
    return true;
  });
  return () => {
    const isOpened = (path: string): boolean => {
      const stats = lstatSync(join(tree, path), { bigint: true, throwIfNoEntry: false });
      return stats === undefined || stats.atimeNs > stats.ctimeNs;
    };
    const opened = laid.filter(isOpened);
    for (const path of laid) rmSync(join(tree, path), { force: true });
    for (const folder of made) removeTree(folder);
    return opened;
  };
}
