import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { HarnessError } from '../../core/failure.ts';

/** More than any file that belongs into a repository; taking one would last for hours. */
const GIANT_BYTES = 2 * 1024 ** 3;
/** An honest snapshot is done by then; only what takes longer is looked at. */
const LOOK_AFTER_MS = 3_000;

/** Lets the files of a tree be taken, unless it turns out that one of them is beyond all measure. */
export async function refuseGiants<T>(
  tree: string,
  take: (signal: AbortSignal) => Promise<T>,
  lookAfterMs = LOOK_AFTER_MS,
): Promise<T> {
  const stop = new AbortController();
  const timer = setTimeout(() => {
    const giant = findGiant(tree);
    if (giant !== null) stop.abort(getRefusal(giant));
  }, lookAfterMs);
  try {
    return await take(stop.signal);
  } finally {
    clearTimeout(timer);
  }
}

function findGiant(tree: string): string | null {
  const folders = [tree];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readEntries(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== '.git') folders.push(path);
      } else if (entry.isFile() && (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > GIANT_BYTES)
        return relative(tree, path);
    }
  }
  return null;
}

function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function getRefusal(file: string): HarnessError {
  return new HarnessError('unproven', `${file} is larger than ${GIANT_BYTES / 1024 ** 3} GB`, {
    file,
    fix: `remove ${file}, or keep it out of git with .gitignore`,
  });
}
