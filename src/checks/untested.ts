import type { GateFinding } from '../core/gates.ts';
import { canScan, getImportGraph } from '../core/imports.ts';
import { isTestPath } from './changed-sources.ts';
import type { CheckContext } from './context.ts';
import { readImportsOf } from './impact.ts';
import type { Trees } from './links.ts';

const MAX_FILES = 5_000;

/** Changed code that no test imports or names, at whatever distance: nothing has run it. */
export async function findUntested(ctx: CheckContext, { changes }: Trees): Promise<readonly GateFinding[]> {
  const changed = changes.filter(({ path, kind }) => kind !== 'deleted' && canScan(path));
  if (changed.length === 0 || ctx.policy.gates.untested === 'off') return [];
  const blobs = await ctx.ports.workspace.readBlobs(ctx.candidate.tree);
  const paths = Object.keys(blobs).filter(canScan);
  const tests = paths.filter(path => isTestPath(ctx, path));
  if (paths.length > MAX_FILES || tests.length === 0) return [];
  const imports = await readImportsOf(ctx, ctx.candidate.tree, paths, blobs);
  const { uses, wide } = getImportGraph(imports, new Set(Object.keys(blobs)));
  const reached = new Set(tests);
  for (const path of reached) for (const used of uses.get(path) ?? []) reached.add(used);
  // Whoever chooses what to load while running may have loaded it.
  if ([...reached].some(path => wide.has(path))) return [];
  return changed
    .filter(({ path }) => !reached.has(path))
    .map(({ path }) => ({ gate: 'untested', text: `${path} was changed, and no test uses it` }));
}
