import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { GitContext } from './context.ts';

/**
 * What we are about to do in the user's repository, written down before it is done and removed
 * after. After a kill it proves which locks there can only be ours, and what was half done.
 */
export interface Intent {
  readonly token: string;
  readonly pid: number;
  /** Lock files the operation may leave behind. */
  readonly locks: readonly string[];
  /** What those locks may hold, if that is known: anything else is not ours. */
  readonly lockContents: readonly string[] | null;
  readonly landing?: LandingIntent;
}

/** A branch that is being moved together with the checkout that is on it. */
export interface LandingIntent {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  readonly root: string;
  readonly gitDir: string;
}

export interface FoundIntent {
  readonly path: string;
  readonly atMs: number;
  readonly intent: Intent;
}

/** Runs an operation with its intent on disk. */
export async function withIntent<T>(
  ctx: GitContext,
  locks: readonly string[],
  perform: () => Promise<T>,
): Promise<T> {
  const token = getToken();
  const path = join(getIntentDir(ctx), `${token}.json`);
  writeIntent(path, { token, pid: process.pid, locks, lockContents: null });
  try {
    return await perform();
  } finally {
    rmSync(path, { force: true });
  }
}

/** Puts an intent on disk before anything it announces; whole or not at all. With `isNew`, says whether it was first. */
export function writeIntent(path: string, intent: Intent, isNew = false): boolean {
  const draft = `${path}.${intent.token}`;
  const file = openSync(draft, 'w', 0o600);
  writeSync(file, JSON.stringify(intent));
  fsyncSync(file);
  closeSync(file);
  if (!isNew) {
    renameSync(draft, path);
    syncDir(path);
    return true;
  }
  try {
    linkSync(draft, path);
    syncDir(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Locks count as ours only if they are hardly younger than the intent: it is to be as old as the next step. */
export function renewIntent(path: string): void {
  const now = new Date();
  utimesSync(path, now, now);
}

/** The intents that were not finished: by somebody killed, or by somebody who still is at it. */
export function readIntents(ctx: GitContext): FoundIntent[] {
  const dir = getIntentDir(ctx);
  return readdirSync(dir)
    .filter(name => name.endsWith('.json'))
    .flatMap(name => readIntent(join(dir, name)) ?? []);
}

/** One intent, or null when it is gone. */
export function readIntent(path: string): FoundIntent | null {
  try {
    return { path, atMs: statSync(path).mtimeMs, intent: JSON.parse(readFileSync(path, 'utf8')) as Intent };
  } catch {
    return null;
  }
}

/** Where intents are kept. */
export function getIntentDir(ctx: GitContext): string {
  const dir = join(ctx.home, 'intents');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return dir;
}

/** An unguessable name for an intent. */
export function getToken(): string {
  return randomBytes(12).toString('hex');
}

function syncDir(path: string): void {
  const dir = openSync(dirname(path), 'r');
  fsyncSync(dir);
  closeSync(dir);
}
