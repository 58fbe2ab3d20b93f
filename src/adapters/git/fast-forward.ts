import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Checkout } from './checkouts.ts';
import { findObstacle, runCheckout } from './checkouts.ts';
import type { GitContext } from './context.ts';
import { readChanges } from './history.ts';
import type { LandingIntent } from './intents.ts';
import type { LandingTurn } from './landing-turn.ts';
import { moveRef } from './refs.ts';

export type MoveResult =
  | { readonly is: 'moved' }
  | { readonly is: 'raced' }
  | { readonly is: 'blocked'; readonly why: string };

/**
 * Moves a branch together with the one checkout that is on it. The order is what makes a kill at any
 * point repairable (repair-landing.ts):
 *
 *   1. the intent is on disk      nothing has changed yet
 *   2. we hold index.lock         no other git can write to this checkout; its content proves it is ours
 *   3. files are updated          with a private copy of the index; git refuses to overwrite changes
 *   4. the ref moves              by compare-and-swap; a lost race puts the files back
 *   5. index.lock becomes index   the private copy's bytes, by rename
 *   6. the intent is removed
 */
export async function fastForward(
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
  if (!takeIndexLock(landing, turn.token))
    return { is: 'blocked', why: `git is at work in ${checkout.root} (index.lock)` };
  if (getFingerprint(landing) !== indexBefore) {
    releaseIndex(landing, turn.privateIndex);
    return { is: 'blocked', why: `${checkout.root} has just been changed` };
  }
  copyIndex(landing, turn.privateIndex);
  const problem = await updateFiles(ctx, landing, turn.privateIndex, 'forward');
  if (problem !== null) {
    releaseIndex(landing, turn.privateIndex);
    return { is: 'blocked', why: problem };
  }
  return finishMove(ctx, landing, turn.privateIndex);
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

/** Step 3, or its reverse. Git checks every path before it touches the first. */
export async function updateFiles(
  ctx: GitContext,
  landing: LandingIntent,
  privateIndex: string,
  way: 'forward' | 'back',
): Promise<string | null> {
  const trees = way === 'forward' ? [landing.from, landing.to] : [landing.to, landing.from];
  const env = { GIT_INDEX_FILE: privateIndex };
  const update = () => runCheckout(ctx, landing, ['read-tree', '-m', '-u', ...trees], { env });
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
  for (const path of [privateIndex, getDraftPath(privateIndex), getLockPath(landing)])
    rmSync(path, { force: true });
}

/** The lock that git itself takes for an index. */
export function getLockPath(landing: LandingIntent): string {
  return join(landing.gitDir, 'index.lock');
}

function takeIndexLock(landing: LandingIntent, token: string): boolean {
  try {
    writeFileSync(getLockPath(landing), token, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
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

async function undo(ctx: GitContext, landing: LandingIntent, privateIndex: string): Promise<void> {
  await updateFiles(ctx, landing, privateIndex, 'back');
  releaseIndex(landing, privateIndex);
}

function installIndex(landing: LandingIntent, privateIndex: string): void {
  const lock = getLockPath(landing);
  const index = join(landing.gitDir, 'index');
  const { mode, mtimeMs } = statSync(existsSync(index) ? index : privateIndex);
  writeFileSync(lock, readFileSync(privateIndex));
  chmodSync(lock, mode & 0o777);
  const file = openSync(lock, 'r+');
  fsyncSync(file);
  closeSync(file);
  const seconds = Math.max(Math.floor(statSync(privateIndex).mtimeMs / 1000), Math.floor(mtimeMs / 1000));
  utimesSync(lock, seconds, seconds);
  renameSync(lock, index);
  rmSync(privateIndex, { force: true });
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
