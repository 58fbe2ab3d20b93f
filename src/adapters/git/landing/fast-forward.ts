import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../../../core/base/failure.ts';
import { readChanges } from '../objects/history.ts';
import { type Checkout, findObstacle, readCheckouts, runCheckout } from '../repo/checkouts.ts';
import type { GitContext } from '../repo/context.ts';
import type { LandingIntent, LandingTurn } from './intents.ts';
import { moveAside, putBack } from './move-aside.ts';
import { moveRef, type RefMove } from './refs.ts';

export type MoveResult =
  | { readonly is: 'moved' }
  | { readonly is: 'raced' }
  | { readonly is: 'blocked'; readonly why: string };

/** Moves a branch forward, and with it the checkout that is on it if that is clean; otherwise nothing changes. */
export async function moveBranch(ctx: GitContext, turn: LandingTurn, move: RefMove): Promise<MoveResult> {
  const checkouts = await readCheckouts(ctx, move.ref);
  const [checkout, another] = checkouts;
  if (checkout === undefined || move.from === null) return { is: await moveRef(ctx, move) };
  if (another)
    return { is: 'blocked', why: `${checkout.root} and ${another.root} both have the branch checked out` };
  return fastForward(ctx, turn, checkout, { ref: move.ref, from: move.from, to: move.to });
}

/** What moving a branch will mean for the checkout that is on it, as far as that can be seen before. */
export async function foreseeLanding(ctx: GitContext, move: RefMove): Promise<LandingIntent | null> {
  const [checkout, another] = await readCheckouts(ctx, move.ref);
  if (checkout === undefined || another !== undefined || move.from === null) return null;
  return { ref: move.ref, from: move.from, to: move.to, root: checkout.root, gitDir: checkout.gitDir };
}

/**
 * Moves a branch together with the one checkout that is on it. The order is what makes a kill at any
 * point repairable (recover.ts):
 *
 *   1. the intent is on disk      nothing has changed yet
 *   2. we hold index.lock         no other git can write to this checkout; its content proves it is ours
 *   3. files are updated          with a private copy of the index; git refuses to overwrite changes
 *   4. the ref moves              by compare-and-swap; a lost race puts the files back
 *   5. the copy becomes the index by rename; then the lock is removed
 *   6. the intent is removed
 *
 * Nothing after step 3 needs room on the disk, and neither does taking step 3 back (move-aside.ts).
 */
async function fastForward(
  ctx: GitContext,
  turn: LandingTurn,
  checkout: Checkout,
  move: { ref: string; from: string; to: string },
): Promise<MoveResult> {
  const landing: LandingIntent = { ...move, root: checkout.root, gitDir: checkout.gitDir };
  const indexBefore = getFingerprint(landing);
  const why = await findObstacle(ctx, checkout, readChanges(ctx, move.from, move.to));
  if (why !== null) return { is: 'blocked', why };
  turn.announce(landing);
  if (!takeIndexLock(landing, turn))
    return { is: 'blocked', why: `git is at work in ${checkout.root} (index.lock)` };
  if (getFingerprint(landing) !== indexBefore) {
    releaseIndex(landing, turn.privateIndex);
    return { is: 'blocked', why: `${checkout.root} has just been changed` };
  }
  try {
    copyIndex(landing, turn.privateIndex);
    await moveAside(ctx, landing, getAside(turn.privateIndex));
  } catch (error) {
    releaseIndex(landing, turn.privateIndex);
    throw error;
  }
  const problem = await updateFiles(ctx, landing, turn.privateIndex);
  if (problem === null) {
    // Filters may have taken their time: the locks that come now are to be found hardly younger than the intent.
    turn.announce(landing);
    return finishMove(ctx, landing, turn.privateIndex);
  }
  const isFull = hasNoRoom(landing.root);
  await undo(ctx, landing, turn.privateIndex);
  if (isFull) throw getFullError(landing);
  return { is: 'blocked', why: problem };
}

/** Steps 4 and 5, which a repair takes up as well. */
export async function finishMove(
  ctx: GitContext,
  landing: LandingIntent,
  privateIndex: string,
): Promise<MoveResult> {
  const { ref, from, to, gitDir } = landing;
  const moved = await moveRef(ctx, { ref, from, to, gitDir, reason: 'harness: land' }).catch(async error => {
    await undo(ctx, landing, privateIndex);
    throw error;
  });
  if (moved === 'raced') {
    await undo(ctx, landing, privateIndex);
    return { is: 'raced' };
  }
  installIndex(landing, privateIndex);
  return { is: 'moved' };
}

/** Step 3. Git checks every path before it touches the first. */
export async function updateFiles(
  ctx: GitContext,
  landing: LandingIntent,
  privateIndex: string,
): Promise<string | null> {
  const env = { GIT_INDEX_FILE: privateIndex };
  const args = ['read-tree', '-m', '-u', landing.from, landing.to];
  const update = () => runCheckout(ctx, landing, args, { env });
  let result = await update();
  if (/not uptodate/.test(result.stderr)) {
    // Perhaps only touched or copied: the index remembers other times, while status compared contents.
    await runCheckout(ctx, landing, ['update-index', '-q', '--refresh'], { env });
    result = await update();
  }
  if (result.code === 0) return null;
  return `git would not update ${landing.root}: ${result.stderr.split('\n')[0]}`;
}

/** Gives the checkout back to its owner's git; only ever called while the lock is ours. */
export function releaseIndex(landing: LandingIntent, privateIndex: string): void {
  const aside = getAside(privateIndex);
  for (const path of [aside, `${aside}.draft`, privateIndex, getDraftPath(privateIndex)])
    rmSync(path, { recursive: true, force: true });
  rmSync(getLockPath(landing), { force: true });
}

/** Where the files are that a move replaces, until it is done. */
export function getAside(privateIndex: string): string {
  return `${privateIndex}.aside`;
}

/** The lock that git itself takes for an index. */
export function getLockPath(landing: LandingIntent): string {
  return join(landing.gitDir, 'index.lock');
}

/** The lock appears with its content or not at all: after a kill, one without ours is somebody else's. */
function takeIndexLock(landing: LandingIntent, { token, privateIndex }: LandingTurn): boolean {
  const draft = getDraftPath(privateIndex);
  try {
    writeFileSync(draft, token);
    linkSync(draft, getLockPath(landing));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Whole or not at all. The copy counts as older than it is: git then compares contents where times
 * alone could not tell.
 */
function copyIndex(landing: LandingIntent, privateIndex: string): void {
  const index = join(landing.gitDir, 'index');
  if (!existsSync(index)) return;
  const draft = getDraftPath(privateIndex);
  copyFileSync(index, draft);
  const seconds = Math.floor(statSync(index).mtimeMs / 1000);
  utimesSync(draft, seconds, seconds);
  renameSync(draft, privateIndex);
}

function getDraftPath(privateIndex: string): string {
  return `${privateIndex}.draft`;
}

/** Puts the files back and gives up the lock; false when a person has changed some of them meanwhile. */
export async function undo(ctx: GitContext, landing: LandingIntent, privateIndex: string): Promise<boolean> {
  const isWhole = await putBack(ctx, landing, getAside(privateIndex));
  releaseIndex(landing, privateIndex);
  return isWhole;
}

function installIndex(landing: LandingIntent, privateIndex: string): void {
  const index = join(landing.gitDir, 'index');
  const { mode, mtimeMs } = statSync(existsSync(index) ? index : privateIndex);
  chmodSync(privateIndex, mode & 0o777);
  const seconds = Math.max(Math.floor(statSync(privateIndex).mtimeMs / 1000), Math.floor(mtimeMs / 1000));
  utimesSync(privateIndex, seconds, seconds);
  renameSync(privateIndex, index);
  releaseIndex(landing, privateIndex);
}

/** Less than any file system needs for a new name. */
const NO_ROOM_BYTES = 64 * 1024;

function hasNoRoom(dir: string): boolean {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize < NO_ROOM_BYTES;
}

function getFullError({ root }: LandingIntent): HarnessError {
  return new HarnessError(
    'environment',
    `the disk is full: ${root} could not be updated to the landed work`,
    {
      file: root,
      fix: 'free some space and run the command again; the files there are as they were',
    },
  );
}

function getFingerprint(landing: LandingIntent): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(join(landing.gitDir, 'index'));
    const head = readFileSync(join(landing.gitDir, 'HEAD'), 'utf8');
    return `${ino} ${size} ${mtimeMs} ${ctimeMs} ${head}`;
  } catch {
    return 'none';
  }
}
