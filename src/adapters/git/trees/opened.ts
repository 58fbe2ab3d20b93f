import { lstatSync, readFileSync, utimesSync } from 'node:fs';
import { joinBytes } from '../../process/remove-tree.ts';
import { type Area, getArea } from '../areas/area.ts';
import { listTracked } from '../areas/index-file.ts';
import { listModules } from '../areas/submodules.ts';
import type { GitContext } from '../repo/context.ts';

/** Long enough ago that every disk notes the next look at a file, whatever it leaves out to save writes. */
export const LONG_AGO_S = 86_400;

/**
 * Makes a pristine directory forget who has opened its files, so that the next run's own looks can be seen. What
 * nobody has opened since it was laid out or last forgotten stays as it is.
 */
export function forgetOpened(ctx: GitContext, slot: number): bigint {
  let newest = 0n;
  visit(ctx, getArea(ctx, 'verify', slot), (path, before) => {
    let stats = before;
    if (stats.atimeNs > stats.ctimeNs) {
      utimesSync(path, LONG_AGO_S, Number(stats.mtimeNs) / 1e9);
      stats = lstatSync(path, { bigint: true });
    }
    if (stats.ctimeNs > newest) newest = stats.ctimeNs;
  });
  return newest;
}

/**
 * Files of the tree that have been opened or touched since `since`. Null where the disk keeps no account of that:
 * no run opens nothing at all.
 */
export function findOpened(ctx: GitContext, slot: number, since: bigint): readonly string[] | null {
  const opened = new Set<string>();
  visit(ctx, getArea(ctx, 'verify', slot), (_, { atimeNs, ctimeNs }, name) => {
    // The time of change cannot be set: whoever puts a time of access back leaves that trace.
    if (atimeNs > ctimeNs || ctimeNs > since) opened.add(name);
  });
  return opened.size === 0 ? null : [...opened];
}

interface Times {
  readonly atimeNs: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** A submodule counts as opened when any file in it was: its commit is all that the tree names. */
function visit(
  ctx: GitContext,
  area: Area,
  look: (path: Buffer, times: Times, name: string) => void,
  module: string | null = null,
): void {
  for (const bytes of listTracked(readFileSync(area.indexFile), ctx.repo.objectFormat)) {
    const path = joinBytes(area.tree, bytes);
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats?.isFile()) look(path, stats, module ?? bytes.toString('utf8'));
  }
  for (const { ctx: own, area: below, path } of listModules(ctx, area))
    visit(own, below, look, module ?? Buffer.from(path, 'latin1').toString('utf8'));
}
