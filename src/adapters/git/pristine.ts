import { getArea } from './area.ts';
import type { GitContext } from './context.ts';
import type { IndexFacts } from './index-file.ts';
import { resetTree } from './reset-tree.ts';

/** Folders that installing dependencies fills: keeping them saves an install per verification. */
export const DEFAULT_KEEP: readonly string[] = ['node_modules', '.venv', 'target', 'vendor'];

/** Lays out `tree` where no agent works; all that a run left there goes, but for installed dependencies. */
export async function pristine(
  ctx: GitContext,
  slot: number,
  tree: string,
  keep: readonly string[] = DEFAULT_KEEP,
): Promise<{ readonly dir: string }> {
  const area = getArea(ctx, 'verify', slot);
  await resetTree(ctx, area, {
    treeish: tree,
    head: null,
    getCleanArgs: facts => ['-x', ...getKeepArgs(facts, keep)],
  });
  return { dir: area.tree };
}

/** A folder of such a name that holds tracked files is source, not an installation: nothing else may stay in it. */
function getKeepArgs(facts: IndexFacts, keep: readonly string[]): string[] {
  const names = new Set(keep);
  const kept = keep.map(name => `--exclude=${name}/`);
  const source = facts.dirs
    .map(dir => dir.toString('utf8'))
    .filter(dir => names.has(dir.slice(dir.lastIndexOf('/') + 1)));
  return [...kept, ...source.map(dir => `--exclude=!/${dir.replace(/[\\*?[\]]/g, '\\$&')}/`)];
}
