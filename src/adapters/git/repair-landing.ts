import { existsSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCheckout } from './checkouts.ts';
import type { GitContext } from './context.ts';
import { finishMove, getLockPath, releaseIndex, updateFiles } from './fast-forward.ts';
import { readChanges } from './history.ts';
import type { Intent, LandingIntent } from './intents.ts';
import { getPrivateIndex } from './landing-turn.ts';
import { readRef } from './refs.ts';
import { readStats } from './remove-tree.ts';

/**
 * Completes the move of a checkout that a kill interrupted, or explains why it must not. While our
 * index.lock is there, no other git has written; what a person edited by hand is recognised, because
 * it is neither the old content nor the new nor the beginning of the new, and stays.
 */
export async function repairLanding(
  ctx: GitContext,
  intent: Intent,
  landing: LandingIntent,
): Promise<string | null> {
  const privateIndex = getPrivateIndex(ctx, intent.token);
  const hasCopy = existsSync(privateIndex);
  if (!isLockOurs(landing, intent.token, privateIndex)) {
    rmSync(privateIndex, { force: true });
    return hasCopy && (await readRef(ctx, landing.ref)) === landing.from ? getExplanation(landing) : null;
  }
  if (!hasCopy) {
    releaseIndex(landing, privateIndex);
    return null;
  }
  rmSync(`${privateIndex}.lock`, { force: true });
  const isUpdated = await hasNewTree(ctx, landing, privateIndex);
  if (!isUpdated && !(await redoFiles(ctx, landing, privateIndex))) {
    releaseIndex(landing, privateIndex);
    return getExplanation(landing);
  }
  const result = await finishMove(ctx, landing, privateIndex);
  return result.is === 'moved' ? null : getExplanation(landing);
}

/** It holds our token, or the index we were about to put in place, or as much of that as had been written. */
function isLockOurs(landing: LandingIntent, token: string, privateIndex: string): boolean {
  const content = readBytes(getLockPath(landing));
  if (content === null) return false;
  if (content.equals(Buffer.from(token))) return true;
  return readBytes(privateIndex)?.subarray(0, content.length).equals(content) ?? false;
}

/** Git writes the index after the last file: a copy that holds the new tree means that all files are in place. */
async function hasNewTree(ctx: GitContext, landing: LandingIntent, privateIndex: string): Promise<boolean> {
  const env = { GIT_INDEX_FILE: privateIndex };
  const result = await runCheckout(ctx, landing, ['diff-index', '--cached', '--quiet', landing.to, '--'], {
    env,
  });
  return result.code === 0;
}

async function redoFiles(ctx: GitContext, landing: LandingIntent, privateIndex: string): Promise<boolean> {
  const env = { GIT_INDEX_FILE: privateIndex };
  const status = await runCheckout(
    ctx,
    landing,
    ['status', '--porcelain', '-z', '--untracked-files=no', '--no-renames'],
    { env },
  );
  if (status.code !== 0) return false;
  const dirty = new Set(
    status.stdout
      .toString('utf8')
      .split('\0')
      .map(entry => entry.slice(3)),
  );
  const unfinished: string[] = [];
  for (const { path, kind } of await readChanges(ctx, landing.from, landing.to)) {
    const file = join(landing.root, path);
    if (readStats(file) === null || (kind !== 'added' && !dirty.has(path))) continue;
    if (kind === 'deleted' || !(await isBeginningOfNew(ctx, landing, path))) return false;
    unfinished.push(file);
  }
  for (const file of unfinished) rmSync(file, { force: true });
  return (await updateFiles(ctx, landing, privateIndex, 'forward')) === null;
}

async function isBeginningOfNew(ctx: GitContext, landing: LandingIntent, path: string): Promise<boolean> {
  const file = join(landing.root, path);
  const found = readStats(file);
  if (!found?.isFile() && !found?.isSymbolicLink()) return false;
  const written = found.isFile() ? readFileSync(file) : readlinkSync(file, { encoding: 'buffer' });
  const wanted = await runCheckout(ctx, landing, ['cat-file', '--filters', `${landing.to}:${path}`]);
  return wanted.code === 0 && wanted.stdout.subarray(0, written.length).equals(written);
}

function getExplanation({ root, from, to }: LandingIntent): string {
  return (
    `landing ${to.slice(0, 12)} was interrupted while ${root} was being updated, and files there have changed since: ` +
    `see \`git -C '${root}' status\`; \`git diff ${from.slice(0, 12)} ${to.slice(0, 12)}\` is what was being applied`
  );
}

function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
