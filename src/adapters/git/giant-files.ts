import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../../core/failure.ts';

/** More than any file that belongs into a repository: hosts refuse it, and every look at it costs its size. */
const GIANT_BYTES = 100 * 1024 ** 2;
/** An honest snapshot is done by then; only what takes longer is looked at. */
const LOOK_AFTER_MS = 500;

/** Lets the files of a tree be taken, unless it turns out that a new one of them is beyond all measure. */
export async function refuseGiants<T>(
  tree: string,
  /** New files that git would take: what is ignored may be of any size. */
  listNew: () => Promise<readonly string[]>,
  take: (signal: AbortSignal) => Promise<T>,
  lookAfterMs = LOOK_AFTER_MS,
): Promise<T> {
  const stop = new AbortController();
  const look = async (): Promise<void> => {
    const giant = (await listNew()).find(path => getSize(join(tree, path)) > GIANT_BYTES);
    if (giant !== undefined) stop.abort(getRefusal(giant));
  };
  const timer = setTimeout(() => void look().catch(() => undefined), lookAfterMs);
  try {
    return await take(stop.signal);
  } finally {
    clearTimeout(timer);
  }
}

function getSize(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.size : 0;
}

function getRefusal(file: string): HarnessError {
  return new HarnessError('unproven', `${file} is larger than ${GIANT_BYTES / 1024 ** 2} MB`, {
    file,
    fix: `remove ${file}, or keep it out of git with .gitignore`,
  });
}
