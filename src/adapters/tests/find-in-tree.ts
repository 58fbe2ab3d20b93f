import { realpath } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';

/**
 * The absolute path of something that a command writes into its own tree; null when the path leaves the tree, by
 * `..` or by a symlink: what lies there is not ours to read, and still less to remove.
 */
export async function findInTree(dir: string, wanted: string): Promise<string | null> {
  const root = await realpath(dir);
  const path = resolve(root, wanted);
  if (!isInside(root, path)) return null;
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => null);
    if (real !== null) return isInside(root, real) ? path : null;
  }
  return path;
}

function isInside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}
