import { canScan, findTouched, getImportGraph, getImports, type Imports } from '../../core/code/imports.ts';
import { getTestFile } from '../../core/model/testing.ts';
import type { CheckContext } from './context.ts';

/** Beyond this a scan would cost more than it can save. */
const MAX_FILES = 5_000;

/** Goes up with every change to the scan. */
const CACHE_KEY = 'imports:2';

/**
 * Test files of the baseline that use what the candidate changed, by the imports in their text; null
 * where there is too much to look at. What has been scanned once is remembered by its content.
 */
export async function readTouched(ctx: CheckContext): Promise<ReadonlySet<string> | null> {
  const blobs = await ctx.ports.workspace.readBlobs(ctx.candidate.tree);
  const paths = Object.keys(blobs).filter(canScan);
  if (paths.length > MAX_FILES) return null;
  const imports = await readImportsOf(ctx, ctx.candidate.tree, paths, blobs);
  const changed = new Set(ctx.changes.map(change => change.path));
  const graph = getImportGraph(imports, new Set([...Object.keys(blobs), ...changed]));
  return findTouched(graph, getTestFiles(ctx), changed);
}

/** Every file that had a passing test on the base. */
export function getTestFiles({ baseline }: CheckContext): readonly string[] {
  return [...new Set(baseline.passing.map(getTestFile))];
}

/** What files of a tree name, by their content as it was scanned before. */
export async function readImportsOf(
  ctx: CheckContext,
  tree: string,
  paths: readonly string[],
  blobs: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, Imports>> {
  const { store, workspace } = ctx.ports;
  const known = JSON.parse((await store.cacheGet(CACHE_KEY)) ?? '{}') as Record<string, Imports>;
  const fresh = paths.filter(path => known[blobs[path] ?? ''] === undefined);
  await Promise.all(
    fresh.map(async path => {
      const text = (await workspace.readFile(tree, path)) ?? '';
      known[blobs[path] ?? ''] = getImports(path, text);
    }),
  );
  const imports = new Map(paths.map(path => [path, known[blobs[path] ?? ''] as Imports]));
  if (fresh.length > 0) {
    const kept = Object.fromEntries(paths.map(path => [blobs[path], imports.get(path)]));
    await store.cachePut(CACHE_KEY, JSON.stringify(kept));
  }
  return imports;
}
