import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCollisions } from '../../../core/code/diff-rules.ts';
import { readStats, removeTree } from '../../process/remove-tree.ts';
import { type Area, runArea } from '../areas/area.ts';
import { fillFilters } from '../areas/fill-filters.ts';
import { dropTouched, getFile } from '../areas/filled.ts';
import { type FoundGap, getBelow, getCollisionGap, getSubmoduleGap } from '../areas/gaps.ts';
import { GITLINK_MODE, getTracked, type IndexEntry, listEntries, type Tracked } from '../areas/index-file.ts';
import { dropModule, listModules, type Module, openFolder, openModule } from '../areas/submodules.ts';
import type { GitContext } from '../repo/context.ts';
import type { GitResult } from '../repo/run-git.ts';
import { findUntracked, hasExactNames, removeExcept } from './untracked.ts';

/** What is missing of a tree after it was laid out, or what git said where it could not be. */
export type Laid = { readonly gaps: readonly FoundGap[] } | { readonly failure: GitResult };

/**
 * Makes an area's files those of a tree as a checkout would have them: files behind filters with their content,
 * and submodules with theirs, as far as the user's clone has it.
 */
export async function layTree(
  ctx: GitContext,
  area: Area,
  treeish: string,
  keep: readonly string[] | null,
): Promise<Laid> {
  dropTouched(area);
  const reset = await runArea(ctx, area, ['read-tree', '--reset', '-u', treeish]);
  if (reset.code !== 0) return { failure: reset };
  const index = readFileSync(area.indexFile);
  const entries = listEntries(index, ctx.repo.objectFormat);
  const links = entries.filter(({ mode }) => mode === GITLINK_MODE);
  clearLinks(ctx, area, entries, links);
  const failure = await cleanTree(ctx, area, index, keep);
  if (failure !== null) return { failure };
  const gaps = [...findMerged(area, entries), ...(await fillFilters(ctx, area, index))];
  for (const link of links) gaps.push(...(await fillLink(ctx, area, link, keep)));
  return { gaps };
}

/** Submodules that are none any more go, and those that are have a folder of their own. */
function clearLinks(
  ctx: GitContext,
  area: Area,
  entries: readonly IndexEntry[],
  links: readonly IndexEntry[],
): void {
  const paths = new Set(links.map(({ path }) => path));
  for (const module of listModules(ctx, area)) {
    if (paths.has(module.path)) continue;
    const isUsed = entries.some(({ path }) => path === module.path || path.startsWith(`${module.path}/`));
    if (isUsed) removeTree(module.area.gitDir);
    else dropModule(area, module);
  }
  for (const path of paths) openFolder(area.tree, path);
}

async function fillLink(
  ctx: GitContext,
  area: Area,
  { path, id }: IndexEntry,
  keep: readonly string[] | null,
): Promise<readonly FoundGap[]> {
  for (const isAnew of [false, true]) {
    if (isAnew) emptyLink(ctx, area, path);
    const module = await openModule(ctx, area, path, id);
    const laid = module && (await tryModule(module, id, keep));
    if (laid) return laid.map(gap => getBelow(gap, path));
  }
  emptyLink(ctx, area, path);
  return [getSubmoduleGap(path, id)];
}

/** Nothing of a submodule that could not be filled was verified, so nothing may be in it. */
function emptyLink(ctx: GitContext, area: Area, path: string): void {
  const before = listModules(ctx, area).find(known => known.path === path);
  if (before) removeTree(before.area.gitDir);
  const dir = getFile(area, path);
  if (readdirSync(dir).length === 0) return;
  removeTree(dir);
  mkdirSync(dir);
}

/** Null where git could not. */
async function tryModule(
  { ctx, area }: Module,
  commit: string,
  keep: readonly string[] | null,
): Promise<readonly FoundGap[] | null> {
  try {
    removeTree(join(area.tree, '.git'));
    const laid = await layTree(ctx, area, commit, keep);
    return 'gaps' in laid ? laid.gaps : null;
  } catch {
    return null;
  }
}

/** Tracked files that are one and the same on this disk: there, one has the other's content. */
function findMerged(area: Area, entries: readonly IndexEntry[]): readonly FoundGap[] {
  if (readStats(join(area.gitDir, 'head')) === null) return [];
  const paths = entries.map(({ path }) => Buffer.from(path, 'latin1').toString('utf8'));
  return findCollisions([], paths, paths).flatMap(([one, other]) => [
    getCollisionGap(one, other),
    getCollisionGap(other, one),
  ]);
}

/**
 * Removes from a tree what git does not track: all but the folders named in `keep`, or, when that is
 * null, all that is not ignored. Git is only asked where it knows better: about ignore rules, and
 * about names on a disk that treats different ones as the same. Null when it worked.
 */
async function cleanTree(
  ctx: GitContext,
  area: Area,
  index: Buffer,
  keep: readonly string[] | null,
): Promise<GitResult | null> {
  const { objectFormat } = ctx.repo;
  const found = findUntracked(area.tree, index, objectFormat);
  for (const path of found.gitDirs) removeTree(path);
  if (!hasExactNames(ctx.repo)) {
    return runClean(ctx, area, keep === null ? [] : getKeepArgs(getTracked(index, objectFormat), keep));
  }
  if (keep === null) return found.paths.length === 0 ? null : runClean(ctx, area, []);
  const names = new Set(keep);
  for (const path of found.paths) removeExcept(path, names);
  return null;
}

async function runClean(ctx: GitContext, area: Area, args: string[]): Promise<GitResult | null> {
  const result = await runArea(ctx, area, ['clean', '-ffdq', ...args]);
  return result.code === 0 ? null : result;
}

/** A folder of such a name that holds tracked files is source, not an installation: nothing else may stay in it. */
function getKeepArgs(tracked: Tracked, keep: readonly string[]): string[] {
  const names = new Set(keep);
  const kept = keep.map(name => `--exclude=${name}/`);
  const source = [...tracked.counts.keys()]
    .map(dir => Buffer.from(dir, 'latin1').toString('utf8'))
    .filter(dir => names.has(dir.slice(dir.lastIndexOf('/') + 1)));
  return ['-x', ...kept, ...source.map(dir => `--exclude=!/${dir.replace(/[\\*?[\]]/g, '\\$&')}/`)];
}
