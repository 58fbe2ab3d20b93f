import { lstat, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

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

/** Removes a folder of reports that an earlier run left, with all that is in it. */
export async function clearReports(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => null);
  if (stats?.isDirectory()) await rm(path, { recursive: true, force: true });
}

/** The JUnit files of a folder as one; null when there is no such folder, or none in it. */
export async function readReports(path: string): Promise<string | null> {
  const stats = await lstat(path).catch(() => null);
  if (!stats?.isDirectory()) return null;
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries
    .filter(entry => entry.isFile() && entry.name.endsWith('.xml'))
    .map(({ name }) => name);
  if (names.length === 0) return null;
  const texts = await Promise.all(names.sort().map(name => readFile(join(path, name), 'utf8')));
  const bodies = texts.map(text => text.replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, ''));
  return `<testsuites>${bodies.join('\n')}</testsuites>`;
}

function isInside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}
