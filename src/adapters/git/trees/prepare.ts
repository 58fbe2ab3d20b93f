import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Place } from '../../../ports/index.ts';
import { findsEveryProcess } from '../../process/proc.ts';
import { getArea, getPlace, moveSlot, openArea } from '../areas/area.ts';
import { BASE_REF } from '../areas/nested-repos.ts';
import type { GitContext } from '../repo/context.ts';
import { resetTree } from './reset-tree.ts';
import { SNAPSHOT_MARK } from './snapshot.ts';

/** Gives an agent its worktree: exactly `commit`, with a git of its own and none of the last agent's traces. */
export async function prepare(ctx: GitContext, slot: number, commit: string): Promise<Place> {
  if (!findsEveryProcess()) moveSlot(ctx, slot);
  const area = getArea(ctx, 'slots', slot);
  openArea(ctx, area);
  mkdirSync(dirname(join(area.gitDir, BASE_REF)), { recursive: true });
  // Written first: whoever finds another commit here than his own knows that the files are not his any more.
  writeFileSync(join(area.gitDir, BASE_REF), `${commit}\n`);
  await resetTree(ctx, area, { treeish: commit, head: commit, keep: null });
  rmSync(join(area.gitDir, SNAPSHOT_MARK), { force: true });
  writeFileSync(join(area.gitDir, BASE_REF), `${commit}\n`);
  return getPlace(area);
}
