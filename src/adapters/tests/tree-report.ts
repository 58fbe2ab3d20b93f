import { lstat, realpath } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';

/**
 * The absolute path of a report that a command writes into its own tree; null when the path leaves
 * the tree, by `..` or by a symlink: such a file is not ours to read, and still less to remove.
 */
export async function findTreeReport(dir: string, reportPath: string): Promise<string | null> {
  const root = await realpath(dir);
  const path = resolve(root, reportPath);
  if (!isInside(root, path)) return null;
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => null);
    if (real !== null) return isInside(root, real) ? path : null;
  }
  return path;
}

/** Whether there is a regular file: a link or a pipe in its place could lead anywhere, or hang. */
export async function isRegularFile(path: string): Promise<boolean> {
  return lstat(path).then(
    stats => stats.isFile(),
    () => false,
  );
}

function isInside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}
