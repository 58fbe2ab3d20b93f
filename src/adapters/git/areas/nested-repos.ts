import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readStats } from '../../process/remove-tree.ts';
import type { GitContext } from '../repo/context.ts';
import { getGitError } from '../repo/git-error.ts';
import { type Area, runArea } from './area.ts';
import { listModules } from './submodules.ts';

/** Names, in a slot's own git directory, the commit it was prepared with. */
export const BASE_REF = 'refs/base';

/** Folders that git takes for repositories of their own and whose files it would not look at. */
export async function readNestedRepos(ctx: GitContext, area: Area): Promise<string[]> {
  const result = await runArea(ctx, area, ['ls-files', '--others', '--exclude-standard', '-z']);
  if (result.code !== 0) throw getGitError('looking for nested repositories', result, area.tree);
  const paths = result.stdout.toString('utf8').split('\0');
  return paths.filter(path => path.endsWith('/')).map(path => path.slice(0, -1));
}

/**
 * Puts the files of nested repositories into the index as the plain files they are. A submodule of
 * the base that holds nothing, still is a repository, or was filled by us stays the entry it was.
 */
export async function addNestedFiles(ctx: GitContext, area: Area, paths: readonly string[]): Promise<void> {
  const submodules = await readSubmodules(ctx, area);
  const filled = new Set(
    listModules(ctx, area).map(({ path }) => Buffer.from(path, 'latin1').toString('utf8')),
  );
  const opened = paths.filter(path => !filled.has(path) && !isLeftAlone(area, path, submodules));
  if (opened.length === 0) return;
  const files = await getUnignored(
    ctx,
    area,
    opened.flatMap(path => getFiles(area.tree, path)),
  );
  await updateIndex(ctx, area, ['--force-remove'], opened);
  await updateIndex(ctx, area, ['--add'], files);
}

/** Submodules of the commit that the slot was prepared with. */
async function readSubmodules(ctx: GitContext, area: Area): Promise<ReadonlySet<string>> {
  const result = await runArea(ctx, area, ['ls-tree', '-r', '-z', '--full-tree', BASE_REF]);
  if (result.code !== 0) return new Set();
  const entries = result.stdout.toString('utf8').split('\0');
  return new Set(
    entries.filter(entry => entry.startsWith('160000')).map(entry => entry.slice(entry.indexOf('\t') + 1)),
  );
}

function isLeftAlone(area: Area, path: string, submodules: ReadonlySet<string>): boolean {
  if (!submodules.has(path)) return false;
  const dir = join(area.tree, path);
  if (readStats(join(dir, '.git')) !== null) return true;
  return !readStats(dir)?.isDirectory() || readdirSync(dir).length === 0;
}

function getFiles(tree: string, dir: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(join(tree, dir), { withFileTypes: true })) {
    const path = `${dir}/${entry.name}`;
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) found.push(...getFiles(tree, path));
    else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
  }
  return found;
}

async function getUnignored(ctx: GitContext, area: Area, files: readonly string[]): Promise<string[]> {
  if (files.length === 0) return [];
  const input = files.map(file => `./${file}\0`).join('');
  const result = await runArea(ctx, area, ['check-ignore', '--no-index', '-z', '--stdin'], { input });
  if (result.code > 1) throw getGitError('reading the ignore rules', result, area.tree);
  const ignored = new Set(result.stdout.toString('utf8').split('\0'));
  return files.filter(file => !ignored.has(`./${file}`));
}

async function updateIndex(
  ctx: GitContext,
  area: Area,
  how: readonly string[],
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return;
  const input = paths.map(path => `${path}\0`).join('');
  const result = await runArea(ctx, area, ['update-index', ...how, '-z', '--stdin'], { input });
  if (result.code !== 0) throw getGitError('adding the files of nested repositories', result, area.tree);
}
