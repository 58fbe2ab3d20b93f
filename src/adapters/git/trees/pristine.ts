import { readFileSync, utimesSync } from 'node:fs';
import type { Place } from '../../../ports/index.ts';
import { joinBytes } from '../../process/remove-tree.ts';
import { type Area, getArea, getPlace } from '../areas/area.ts';
import { getTracked } from '../areas/index-file.ts';
import { getObjectId, writeObjects } from '../objects/write-objects.ts';
import type { GitContext } from '../repo/context.ts';
import { LONG_AGO_S } from './opened.ts';
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
  await resetTree(ctx, area, { treeish: tree, head: await writeHead(ctx, tree), keep });
  evenOut(ctx, area);
  return getPlace(area);
}

/** What a run added and took away again shows in the time of its folder: nobody may tell the first run from the next. */
function evenOut(ctx: GitContext, { tree, indexFile }: Area): void {
  for (const dir of getTracked(readFileSync(indexFile), ctx.repo.objectFormat).counts.keys())
    utimesSync(joinBytes(tree, Buffer.from(dir, 'latin1')), LONG_AGO_S, LONG_AGO_S);
}

const NOBODY = 'Nobody <nobody@localhost> 946684800 +0000';

/** A commit for builds and tests that ask git for one: of this tree alone, and the same whenever it is laid out. */
async function writeHead(ctx: GitContext, tree: string): Promise<string | null> {
  if (!/^[0-9a-f]{40,64}$/.test(tree)) return null;
  const body = Buffer.from(`tree ${tree}\nauthor ${NOBODY}\ncommitter ${NOBODY}\n\nThis tree\n`);
  const commit = { type: 'commit', body } as const;
  await writeObjects(ctx, [commit]);
  return getObjectId(ctx.repo.objectFormat, commit);
}
