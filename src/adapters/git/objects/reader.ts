import type { Workspace } from '../../../ports/index.ts';
import type { GitContext } from '../repo/context.ts';
import { getPathSpec, readObjectIds, readObjects } from './objects.ts';

const MAX_ENTRIES = 200;
const MAX_CACHED_CHARS = 2_000_000;

/** Reads files of commits and remembers them: what a commit holds never changes, and the loop asks again each turn. */
export function createReader(ctx: GitContext): Pick<Workspace, 'readFile' | 'blobId'> {
  const ids = new Map<string, string>();
  const texts = new Map<string, string>();
  return {
    blobId: (treeish, path) => {
      const spec = getPathSpec(treeish, path);
      return spec === null
        ? Promise.resolve(null)
        : readOnce(ids, spec, async () => (await readObjectIds(ctx, [spec]))[0] ?? null);
    },
    readFile: async (treeish, path) => {
      const spec = getPathSpec(treeish, path);
      if (spec === null) return null;
      return readOnce(texts, spec, async () => {
        const [object] = await readObjects(ctx, [spec]);
        if (object?.type !== 'blob') return null;
        ids.set(spec, object.id);
        return object.body.toString('utf8');
      });
    },
  };
}

async function readOnce(
  cache: Map<string, string>,
  spec: string,
  read: () => Promise<string | null>,
): Promise<string | null> {
  const isFixed = /^([0-9a-f]{40}|[0-9a-f]{64}):/.test(spec);
  const known = isFixed ? cache.get(spec) : undefined;
  if (known !== undefined) return known;
  const value = await read();
  if (value === null || !isFixed || value.length > MAX_CACHED_CHARS) return value;
  if (cache.size >= MAX_ENTRIES) cache.clear();
  cache.set(spec, value);
  return value;
}
