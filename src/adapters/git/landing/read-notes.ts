import { readObjects } from '../objects/objects.ts';
import { expectOk, type GitContext, runScratch } from '../repo/context.ts';
import { NOTES_REF } from '../repo/locks.ts';
import { readRef } from './refs.ts';

/** Every note of ours, by the commit it is about: also where git itself has arranged them otherwise. */
export async function readNotes(ctx: GitContext): Promise<ReadonlyMap<string, string>> {
  const tip = await readRef(ctx, NOTES_REF);
  if (tip === null) return new Map();
  const result = await runScratch(ctx, ['ls-tree', '-r', '-z', '--full-tree', tip]);
  const lines = expectOk(ctx, 'listing notes', result).toString('utf8').split('\0').slice(0, -1);
  const listed = lines.map(line => {
    const [head = '', path = ''] = line.split('\t');
    return { commit: path.replaceAll('/', ''), blob: head.split(' ')[2] ?? '' };
  });
  const objects = await readObjects(
    ctx,
    listed.map(({ blob }) => blob),
  );
  return new Map(
    listed.flatMap(({ commit }, at) => {
      const object = objects[at];
      return object?.type === 'blob' ? [[commit, object.body.toString('utf8')] as const] : [];
    }),
  );
}
