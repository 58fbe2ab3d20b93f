import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../../core/failure.ts';
import { SlotLost } from '../../core/slot.ts';
import { type Area, getArea, openArea, runArea } from './area.ts';
import { cleanFiltered } from './clean-filtered.ts';
import type { GitContext } from './context.ts';
import { refuseGiants } from './giant-files.ts';
import { getGitError } from './git-error.ts';
import { getTracked, listEntries } from './index-file.ts';
import { addNestedFiles, BASE_REF, readNestedRepos } from './nested-repos.ts';
import { openPermissions } from './remove-tree.ts';
import type { GitResult } from './run-git.ts';
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
  if (result.code !== 0) throw getGitError('starting the snapshot of a prepared slot', result, area.tree);
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
