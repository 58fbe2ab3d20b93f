import { type Dirent, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { joinBytes, readStats, removeTree } from '../../process/remove-tree.ts';
import type { GitContext } from '../repo/context.ts';
import { writeHarnessGit } from '../repo/git-dir.ts';
import { clearLocks } from '../repo/locks.ts';
import { type Area, runArea } from './area.ts';
import { hasRealParents } from './filled.ts';

/** A submodule's folder in a tree of ours, with the user's repository of it and a git directory that watches it. */
export interface Module {
  /** In the tree, as bytes in latin1 text. */
  readonly path: string;
  readonly ctx: GitContext;
  readonly area: Area;
}

/** Named by the path, so that the folder's state is found again. */
const MODULES = 'modules';
const FACTS = 'module.json';
/** Names of submodules may hold slashes; none of anybody is that deep. */
const MAX_DEPTH = 8;

/** Opens a submodule where the user's clone has the commit; null where it has not. */
export async function openModule(
  ctx: GitContext,
  area: Area,
  path: string,
  commit: string,
): Promise<Module | null> {
  for (const gitDir of findStores(ctx, path)) {
    const module = getModule(ctx, area, path, gitDir);
    mkdirSync(module.area.gitDir, { recursive: true, mode: 0o700 });
    writeHarnessGit(module.ctx.repo, module.area.gitDir);
    clearLocks(module.area.gitDir);
    const found = await runArea(module.ctx, { ...module.area, tree: area.tree }, [
      'cat-file',
      '-e',
      `${commit}^{commit}`,
    ]);
    if (found.code !== 0) continue;
    writeFileSync(join(module.area.gitDir, FACTS), JSON.stringify({ path, gitDir }));
    return module;
  }
  return null;
}

/** The submodules that were filled when the area was last laid out. */
export function listModules(ctx: GitContext, area: Area): readonly Module[] {
  return readDirs(join(area.gitDir, MODULES)).flatMap(({ name }) => {
    try {
      const facts = readFileSync(join(area.gitDir, MODULES, name, FACTS), 'utf8');
      const { path, gitDir } = JSON.parse(facts) as { path: string; gitDir: string };
      return [getModule(ctx, area, path, gitDir)];
    } catch {
      return [];
    }
  });
}

/** Forgets a submodule, and what lies in its folder. */
export function dropModule(area: Area, module: Module): void {
  removeTree(module.area.gitDir);
  if (hasRealParents(area.tree, module.path)) removeTree(module.area.tree);
}

/** Makes the way to a submodule's folder one of folders alone, whatever somebody has put there. */
export function openFolder(tree: string, path: string): void {
  const parts = path.split('/');
  parts.forEach((_, at) => {
    const dir = joinBytes(tree, Buffer.from(parts.slice(0, at + 1).join('/'), 'latin1'));
    const found = readStats(dir);
    if (found !== null && !found.isDirectory()) rmSync(dir, { force: true });
    if (!found?.isDirectory()) mkdirSync(dir);
  });
}

function getModule(ctx: GitContext, area: Area, path: string, gitDir: string): Module {
  const own = join(area.gitDir, MODULES, Buffer.from(path, 'latin1').toString('hex'));
  const name = Buffer.from(path, 'latin1').toString('utf8');
  const root = ctx.repo.root === '' ? '' : join(ctx.repo.root, name);
  const isCheckedOut = root !== '' && readGitDir(root) === gitDir;
  const places = {
    root: isCheckedOut ? root : '',
    gitDir,
    commonDir: gitDir,
    objectsDir: join(gitDir, 'objects'),
  };
  return {
    path,
    ctx: { ...ctx, repo: { ...ctx.repo, ...places } },
    area: { dir: area.dir, tree: join(area.tree, name), gitDir: own, indexFile: join(own, 'index') },
  };
}

/**
 * Every repository in the clone that may have it: commits are known by their content, so it does not matter
 * under which name it is kept.
 */
function findStores({ repo }: GitContext, path: string): readonly string[] {
  const own =
    repo.root === '' ? null : readGitDir(join(repo.root, Buffer.from(path, 'latin1').toString('utf8')));
  const kept = [repo.commonDir, repo.gitDir].flatMap(dir => findGitDirs(join(dir, MODULES), MAX_DEPTH));
  return [...new Set([...(own === null ? [] : [own]), ...kept, repo.commonDir])];
}

function findGitDirs(dir: string, depth: number): readonly string[] {
  if (depth === 0) return [];
  return readDirs(dir).flatMap(({ name }) => {
    const path = join(dir, name);
    const isGit = readStats(join(path, 'HEAD'))?.isFile() && readStats(join(path, 'objects'))?.isDirectory();
    return isGit ? [path, ...findGitDirs(join(path, MODULES), depth - 1)] : findGitDirs(path, depth - 1);
  });
}

/** The git directory of a checked-out submodule: a folder, or a file that says where it is. */
function readGitDir(root: string): string | null {
  const path = join(root, '.git');
  if (readStats(path)?.isDirectory()) return path;
  try {
    const named = /^gitdir: (.+)\n?$/.exec(readFileSync(path, 'utf8'))?.[1];
    return named === undefined ? null : resolve(root, named);
  } catch {
    return null;
  }
}

function readDirs(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).filter(entry => entry.isDirectory());
  } catch {
    return [];
  }
}
