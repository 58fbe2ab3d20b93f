import { type BigIntStats, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { GitContext } from './context.ts';
import { getCheckoutEnv } from './git-env.ts';

/** What the index of a checkout says of one file: which blob it is, and how it lay on disk when git knew that. */
interface Noted {
  readonly id: string;
  readonly ctime: string;
  readonly mtime: string;
  readonly ino: number;
  readonly size: number;
}

/** The files of the user's checkout, by git's word: a path is given only for a file that is still as git left it. */
export type CheckoutFiles = (
  path: string,
  id: string,
) => { readonly path: string; readonly size: number } | null;

const WORD = 0xffffffffn;
const NS = 1_000_000_000n;

/**
 * Looks up files in the user's checkout that are the checked-out form of a blob. Git noted that when it wrote
 * or last compared them, so neither the filter nor anything else of theirs has to run.
 */
export async function readCheckout({ repo, run }: GitContext): Promise<CheckoutFiles> {
  if (repo.root === '') return () => null;
  const args = ['-c', 'core.fsmonitor=false', 'ls-files', '--stage', '--debug', '-z', '--full-name'];
  const result = await run(args, { cwd: repo.root, env: getCheckoutEnv(repo.gitDir, repo.root) });
  const noted = result.code === 0 ? getNoted(result.stdout.toString('latin1')) : new Map<string, Noted>();
  return (path, id) => {
    const known = noted.get(path);
    const file = join(repo.root, Buffer.from(path, 'latin1').toString('utf8'));
    const stats = known?.id === id ? lstatSync(file, { bigint: true, throwIfNoEntry: false }) : undefined;
    if (!known || !stats?.isFile() || !isAsNoted(stats, known)) return null;
    return { path: file, size: Number(stats.size) };
  };
}

/** `<mode> <id> 0\t<path>\0` and lines of `name: value`, which end where the next such head begins. */
function getNoted(text: string): Map<string, Noted> {
  const noted = new Map<string, Noted>();
  const entry =
    /(?:^|\n)\d{6} ([0-9a-f]+) 0\t([^\0]+)\0\s+ctime: (\d+:\d+)\n\s+mtime: (\d+:\d+)\n\s+dev: \d+\tino: (\d+)\n\s+uid: \d+\tgid: \d+\n\s+size: (\d+)\t/g;
  for (const [, id = '', path = '', ctime = '', mtime = '', ino, size] of text.matchAll(entry))
    noted.set(path, { id, ctime, mtime, ino: Number(ino), size: Number(size) });
  return noted;
}

function isAsNoted(stats: BigIntStats, { ctime, mtime, ino, size }: Noted): boolean {
  const getTime = (ns: bigint): string => `${ns / NS}:${ns % NS}`;
  return (
    getTime(stats.ctimeNs) === ctime &&
    getTime(stats.mtimeNs) === mtime &&
    Number(stats.ino & WORD) === ino &&
    Number(stats.size & WORD) === size
  );
}
