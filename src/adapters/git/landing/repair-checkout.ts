import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readStats } from '../../process/remove-tree.ts';
import { readChanges } from '../objects/history.ts';
import { runCheckout } from '../repo/checkouts.ts';
import type { GitContext } from '../repo/context.ts';
import { readLine } from '../repo/git-files.ts';
import { finishMove, getAside, getLockPath, releaseIndex, undo, updateFiles } from './fast-forward.ts';
import { getPrivateIndex, type LandingIntent } from './intents.ts';
import { isBeginningOfNew } from './move-aside.ts';
import { readRef } from './refs.ts';

/**
 * Completes the move of a checkout that a kill interrupted, or explains why it must not. While our
 * index.lock is there, no other git has written; what a person edited by hand is recognised, because
 * it is neither the old content nor the new nor the beginning of the new, and stays.
 */
export async function repairCheckout(
  ctx: GitContext,
  token: string,
  landing: LandingIntent,
  renew: () => void,
): Promise<string | null> {
  const privateIndex = getPrivateIndex(ctx, token);
  const hasCopy = existsSync(privateIndex);
  if (readLine(getLockPath(landing)) !== token) {
    for (const path of [privateIndex, getAside(privateIndex)]) rmSync(path, { recursive: true, force: true });
    return hasCopy && (await readRef(ctx, landing.ref)) === landing.from ? getExplanation(landing) : null;
  }
  if (!hasCopy) {
    releaseIndex(landing, privateIndex);
    return null;
  }
  rmSync(`${privateIndex}.lock`, { force: true });
  const isUpdated = await hasNewTree(ctx, landing, privateIndex);
  if (!isUpdated && !(await redoFiles(ctx, landing, privateIndex)))
    return (await restoreCheckout(ctx, landing, privateIndex)) ? null : getExplanation(landing);
  // Files may have taken their time again.
  renew();
  const result = await finishMove(ctx, landing, privateIndex);
  return result.is === 'moved' ? null : getExplanation(landing);
}

/** Git writes the index after the last file: a copy that holds the new tree means that all files are in place. */
async function hasNewTree(ctx: GitContext, landing: LandingIntent, privateIndex: string): Promise<boolean> {
  const env = { GIT_INDEX_FILE: privateIndex };
  const result = await runCheckout(ctx, landing, ['diff-index', '--cached', '--quiet', landing.to, '--'], {
    env,
  });
  return result.code === 0;
}

/** Whether the checkout is as it was before the move, as far as that was about to change it. */
async function restoreCheckout(
  ctx: GitContext,
  landing: LandingIntent,
  privateIndex: string,
): Promise<boolean> {
  if (!(await undo(ctx, landing, privateIndex))) return false;
  const dirty = await readDirty(ctx, landing, {});
  const changes = await readChanges(ctx, landing.from, landing.to);
  return dirty !== null && !changes.some(({ path }) => dirty.has(path));
}

async function readDirty(
  ctx: GitContext,
  landing: LandingIntent,
  env: Record<string, string>,
): Promise<ReadonlySet<string> | null> {
  const args = ['status', '--porcelain', '-z', '--untracked-files=no', '--no-renames'];
  const status = await runCheckout(ctx, landing, args, { env });
  if (status.code !== 0) return null;
  const entries = status.stdout.toString('utf8').split('\0');
  return new Set(entries.map(entry => entry.slice(3)));
}

async function redoFiles(ctx: GitContext, landing: LandingIntent, privateIndex: string): Promise<boolean> {
  const dirty = await readDirty(ctx, landing, { GIT_INDEX_FILE: privateIndex });
  if (dirty === null) return false;
  const unfinished: string[] = [];
  for (const { path, kind } of await readChanges(ctx, landing.from, landing.to)) {
    const file = join(landing.root, path);
    if (readStats(file) === null || (kind !== 'added' && !dirty.has(path))) continue;
    if (kind === 'deleted' || !(await isBeginningOfNew(ctx, landing, path))) return false;
    unfinished.push(file);
  }
  for (const file of unfinished) rmSync(file, { force: true });
  return (await updateFiles(ctx, landing, privateIndex)) === null;
}

function getExplanation({ root, from, to }: LandingIntent): string {
  return (
    `landing ${to.slice(0, 12)} was interrupted while ${root} was being updated, and files there have changed since: ` +
    `see \`git -C '${root}' status\`; \`git diff ${from.slice(0, 12)} ${to.slice(0, 12)}\` is what was being applied`
  );
}
