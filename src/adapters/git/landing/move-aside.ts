import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileChange } from '../../../ports/index.ts';
import { readStats } from '../../process/remove-tree.ts';
import { readChanges } from '../objects/history.ts';
import { runCheckout } from '../repo/checkouts.ts';
import type { GitContext } from '../repo/context.ts';
import type { LandingIntent } from './intents.ts';

/**
 * Gives every file that a move will replace or remove a second name. Putting it back is then a rename,
 * which needs no room on the disk: git itself may stop half-way, for want of room or by a filter that fails.
 */
export async function moveAside(ctx: GitContext, landing: LandingIntent, aside: string): Promise<void> {
  const draft = `${aside}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  for (const change of await readChanges(ctx, landing.from, landing.to)) {
    if (change.kind !== 'added') keepFile(join(landing.root, change.path), join(draft, getName(change)));
  }
  renameSync(draft, aside);
}

/**
 * Takes a move back, file by file. What is neither the old file nor the new one nor its beginning is a
 * person's: it stays, and the answer is false.
 */
export async function putBack(ctx: GitContext, landing: LandingIntent, aside: string): Promise<boolean> {
  if (!existsSync(aside)) return true;
  const changes = await readChanges(ctx, landing.from, landing.to);
  const isOurs = async ({ path }: FileChange): Promise<boolean> =>
    readStats(join(landing.root, path)) === null || (await isBeginningOfNew(ctx, landing, path));
  let isWhole = true;
  // What is new goes first: it makes room, also for folders where the old files are to be.
  for (const change of changes.filter(({ kind }) => kind === 'added')) {
    if (await isOurs(change)) removeFile(landing.root, change.path);
    else isWhole = false;
  }
  for (const change of changes.filter(({ kind }) => kind !== 'added')) {
    const [kept, file] = [join(aside, getName(change)), join(landing.root, change.path)];
    if (readStats(kept) === null || isSameFile(kept, file)) continue;
    if (await isOurs(change)) moveBack(kept, file);
    else isWhole = false;
  }
  return isWhole;
}

/** Whether a file of the checkout is what the move writes there, or as much of it as had been written. */
export async function isBeginningOfNew(
  ctx: GitContext,
  landing: LandingIntent,
  path: string,
): Promise<boolean> {
  const file = join(landing.root, path);
  const found = readStats(file);
  if (!found?.isFile() && !found?.isSymbolicLink()) return false;
  const written = found.isFile() ? readFileSync(file) : readlinkSync(file, { encoding: 'buffer' });
  const wanted = await runCheckout(ctx, landing, ['cat-file', '--filters', `${landing.to}:${path}`]);
  // What cannot be written cannot be compared: git leaves an empty file behind, or none.
  if (wanted.code !== 0) return written.length === 0;
  return wanted.stdout.subarray(0, written.length).equals(written);
}

function keepFile(file: string, kept: string): void {
  const found = readStats(file);
  if (found?.isSymbolicLink()) symlinkSync(readlinkSync(file), kept);
  if (!found?.isFile()) return;
  try {
    linkSync(file, kept);
  } catch {
    // Another disk, or one without second names.
    copyFileSync(file, kept);
  }
}

function moveBack(kept: string, file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  try {
    renameSync(kept, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    rmSync(file, { force: true });
    copyFileSync(kept, file);
  }
}

/** With the folders that it leaves empty, as git does. */
function removeFile(root: string, path: string): void {
  rmSync(join(root, path), { force: true });
  try {
    for (let dir = dirname(path); dir !== '.'; dir = dirname(dir)) rmdirSync(join(root, dir));
  } catch {
    // Something else is in it.
  }
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [readStats(one), readStats(other)];
  return a?.isFile() === true && a.ino === b?.ino && a.dev === b.dev;
}

function getName({ path }: FileChange): string {
  return createHash('sha256').update(path).digest('hex');
}
