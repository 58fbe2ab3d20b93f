import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError, ObjectGone } from '../../../core/base/failure.ts';
import { SlotLost } from '../../../core/decide/slot.ts';
import { openPermissions } from '../../process/remove-tree.ts';
import { type Area, getArea, openArea, runArea } from '../areas/area.ts';
import { cleanFiltered } from '../areas/clean-filtered.ts';
import { getTracked, listEntries } from '../areas/index-file.ts';
import { addNestedFiles, BASE_REF, readNestedRepos } from '../areas/nested-repos.ts';
import type { GitContext } from '../repo/context.ts';
import { getGitError } from '../repo/git-error.ts';
import type { GitResult } from '../repo/run-git.ts';
import { findRespelt, hasExactNames } from './untracked.ts';

/** Left in a slot's git directory by a snapshot: the next one starts from the prepared commit again. */
export const SNAPSHOT_MARK = 'snapshot-taken';

/**
 * Turns what is on disk into a tree. Only the files and the `.gitignore` files among them count:
 * nothing the agent did to its own git, by bits, excludes, filters, hooks or nested repositories.
 */
export async function snapshot(
  ctx: GitContext,
  slot: number,
): Promise<{ readonly tree: string; readonly preparedFor: string }> {
  const area = getArea(ctx, 'slots', slot);
  // Somebody cleared the cache: an empty folder made in its place would look as if all had been deleted.
  if (!existsSync(area.tree) || !existsSync(join(area.gitDir, BASE_REF))) throw new SlotLost(area.tree);
  openArea(ctx, area);
  const mark = join(area.gitDir, SNAPSHOT_MARK);
  if (existsSync(mark) || !existsSync(area.indexFile)) await restartIndex(ctx, area);
  writeFileSync(mark, '');
  await addAll(ctx, area);
  if (!hasExactNames(ctx.repo)) await respell(ctx, area);
  const { gitlinks } = getTracked(readFileSync(area.indexFile), ctx.repo.objectFormat);
  if (gitlinks.length > 0) {
    await addNestedFiles(
      ctx,
      area,
      gitlinks.map(path => Buffer.from(path, 'latin1').toString('utf8')),
    );
  }
  await cleanFiltered(ctx, area);
  const written = await runArea(ctx, area, ['write-tree']);
  if (written.code !== 0) throw getGitError('writing the snapshot', written, area.tree);
  const preparedFor = readFileSync(join(area.gitDir, BASE_REF), 'utf8').trim();
  return { tree: written.stdout.toString('utf8').trim(), preparedFor };
}

/**
 * Sets the index to the prepared commit. It has to know what that tracks, as it does after `prepare`:
 * otherwise a tracked file that is also ignored could be lost.
 */
async function restartIndex(ctx: GitContext, area: Area): Promise<void> {
  const result = await runArea(ctx, area, ['read-tree', '--reset', BASE_REF]);
  if (result.code === 0) return;
  const error = getGitError('starting the snapshot of a prepared slot', result, area.tree);
  // Left by a repository that was at this place before: nothing of it is this one's work.
  if (error instanceof ObjectGone) throw new SlotLost(area.tree, 'stands on a commit that is not here');
  throw error;
}

async function addAll(ctx: GitContext, area: Area): Promise<void> {
  const add = (): Promise<GitResult> =>
    refuseGiants(
      area.tree,
      () => listNew(ctx, area),
      signal => runArea(ctx, area, ['add', '-A'], { signal }),
    );
  let result = await add();
  if (result.code === 0) return;
  if (/index file|bad signature|bad index/.test(result.stderr)) {
    rmSync(area.indexFile, { force: true });
    await restartIndex(ctx, area);
    result = await add();
  }
  const nested = result.code === 0 ? [] : await readNestedRepos(ctx, area);
  if (nested.length > 0) {
    await addNestedFiles(ctx, area, nested);
    result = await add();
  }
  if (result.code !== 0 && /Permission denied/.test(result.stderr)) {
    openPermissions(area.tree);
    result = await add();
  }
  if (result.code !== 0) throw getSnapshotError(result, area);
}

async function listNew(ctx: GitContext, area: Area): Promise<readonly string[]> {
  const result = await runArea(ctx, area, ['ls-files', '--others', '--exclude-standard', '-z']);
  return result.stdout.toString('utf8').split('\0').slice(0, -1);
}

/** Takes over names whose capitals were changed, on a disk where git would not notice. */
async function respell(ctx: GitContext, area: Area): Promise<void> {
  const index = readFileSync(area.indexFile);
  const { objectFormat } = ctx.repo;
  const respelt = findRespelt(area.tree, index, objectFormat);
  if (respelt.size === 0) return;
  const getSpelling = (path: string): string =>
    path
      .split('/')
      .map((name, i, all) => respelt.get(all.slice(0, i + 1).join('/')) ?? name)
      .join('/');
  const lines = listEntries(index, objectFormat).flatMap(({ path, id, mode }) => {
    const now = getSpelling(path);
    return now === path ? [] : [`0 ${'0'.repeat(id.length)}\t${path}`, `${mode.toString(8)} ${id}\t${now}`];
  });
  const input = Buffer.from(lines.map(line => `${line}\0`).join(''), 'latin1');
  const result = await runArea(ctx, area, ['update-index', '-z', '--index-info'], { input });
  if (result.code !== 0) throw getGitError('taking over names in other capitals', result, area.tree);
}

function getSnapshotError(result: GitResult, area: Area): HarnessError {
  const invalid = /invalid path '(.+?)'/s.exec(result.stderr);
  if (!invalid) return getGitError('taking the snapshot', result, area.tree);
  return new HarnessError('unproven', `git cannot hold a file named ${invalid[1]}`, {
    file: invalid[1] ?? '',
    fix: 'rename or remove it: names that look like .git are refused in every repository',
  });
}

/** More than any file that belongs into a repository: hosts refuse it, and every look at it costs its size. */
const GIANT_BYTES = 100 * 1024 ** 2;
/** An honest snapshot is done by then; only what takes longer is looked at. */
const LOOK_AFTER_MS = 500;

/** Lets the files of a tree be taken, unless it turns out that a new one of them is beyond all measure. */
export async function refuseGiants<T>(
  tree: string,
  /** New files that git would take: what is ignored may be of any size. */
  listNew: () => Promise<readonly string[]>,
  take: (signal: AbortSignal) => Promise<T>,
  lookAfterMs = LOOK_AFTER_MS,
): Promise<T> {
  const stop = new AbortController();
  const look = async (): Promise<void> => {
    const giant = (await listNew()).find(path => getSize(join(tree, path)) > GIANT_BYTES);
    if (giant !== undefined) stop.abort(getRefusal(giant));
  };
  const timer = setTimeout(() => void look().catch(() => undefined), lookAfterMs);
  try {
    return await take(stop.signal);
  } finally {
    clearTimeout(timer);
  }
}

function getSize(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.size : 0;
}

function getRefusal(file: string): HarnessError {
  return new HarnessError('unproven', `${file} is larger than ${GIANT_BYTES / 1024 ** 2} MB`, {
    file,
    fix: `remove ${file}, or keep it out of git with .gitignore`,
  });
}
