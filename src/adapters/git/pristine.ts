import type { Place } from '../../ports.ts';
import { getArea, getPlace } from './area.ts';
import type { GitContext } from './context.ts';
import { resetTree } from './reset-tree.ts';

/** Folders that installing dependencies fills: keeping them saves an install per verification. */
export const DEFAULT_KEEP: readonly string[] = ['node_modules', '.venv', 'target', 'vendor'];

/** Lays out `tree` where no agent works; all that a run left there goes, but for installed dependencies. */
export async function pristine(
  ctx: GitContext,
  slot: number,
  tree: string,
  keep: readonly string[] = DEFAULT_KEEP,
): Promise<Place> {
  const area = getArea(ctx, 'verify', slot);
  await resetTree(ctx, area, { treeish: tree, head: null, keep });
  return getPlace(area);
}
