import { lstat, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** A move that cannot be made; the message is for the person who wrote the script. */
export class RefusedMove extends Error {}

/** Writes a file below `root`, made from its present text (null when there is none). */
export async function writeInside(
  root: string,
  file: string,
  getText: (before: string | null) => string,
): Promise<void> {
  const target = await resolveInside(root, file, 'through');
  try {
    const text = getText(await readIfThere(target));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  } catch (error) {
    if (error instanceof RefusedMove) throw error;
    throw new RefusedMove(`cannot write ${file}: ${(error as Error).message}`);
  }
}

/** Deletes a file or folder below `root`; a symlink goes itself, not what it points to. */
export async function deleteInside(root: string, file: string): Promise<void> {
  const target = await resolveInside(root, file, 'up-to');
  try {
    await rm(target, { recursive: true });
  } catch (error) {
    throw new RefusedMove(`cannot delete ${file}: ${(error as Error).message}`);
  }
}

/** The path to use, once neither `..` nor a symlink on the way (or at its end) leads out of `root`. */
async function resolveInside(root: string, file: string, links: 'through' | 'up-to'): Promise<string> {
  const realRoot = await realpath(root);
  const target = resolve(realRoot, file);
  const existing = await findExisting(links === 'through' ? target : dirname(target));
  const real = await realpath(existing).catch(() => null);
  if (real === null || !isWithin(realRoot, real)) {
    throw new RefusedMove(`${file} is outside the working directory`);
  }
  return target;
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function findExisting(path: string): Promise<string> {
  try {
    await lstat(path);
    return path;
  } catch {
    return await findExisting(join(path, '..'));
  }
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
