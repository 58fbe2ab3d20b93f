import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { checkWritten, type ProcessRef } from '../../process/own-process.ts';
import { hasPid } from '../../process/proc.ts';
import type { GitContext } from '../repo/context.ts';

/**
 * What we are about to do in the user's repository, written down before it is done and removed
 * after. After a kill it proves which locks there can only be ours, and what was half done.
 */
export interface Intent {
  /** Names it, and marks the git processes that carry it out. */
  readonly token: string;
  readonly owner: ProcessRef;
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

/** The right to move branches of this repository. */
export interface LandingTurn {
  readonly token: string;
  /** Where the copy of a checkout's index is worked on. */
  readonly privateIndex: string;
  /** Puts on disk, before the first file changes, which checkout is about to be moved. */
  announce(landing: LandingIntent): void;
}

export interface FoundIntent {
  readonly path: string;
  readonly atMs: number;
  readonly intent: Intent;
}

/** Puts an intent on disk before anything it announces; whole or not at all. With `isNew`, says whether it was first. */
export function writeIntent(path: string, intent: Intent, isNew = false): boolean {
  const draft = `${path}.${intent.owner.pid}.${intent.token}.draft`;
  try {
    writeDraft(draft, JSON.stringify(intent));
    if (isNew) linkSync(draft, path);
    else renameSync(draft, path);
    syncDir(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The folder may go with somebody else's last intent just now. */
function writeDraft(path: string, text: string): void {
  for (let tries = 1; ; tries++) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    try {
      const file = openSync(path, 'w', 0o600);
      try {
        writeSync(file, text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 5) throw error;
    }
  }
}

/** Locks count as ours only if they are hardly younger than the intent: it is to be as old as the next step. */
export function renewIntent(path: string): void {
  const now = new Date();
  utimesSync(path, now, now);
}

/** Whether whoever wrote it still lives. An older harness wrote down the number of its process and no more. */
export function checkOwner({ owner, pid = 0 }: Intent & { readonly pid?: number }) {
  if (owner) return checkWritten(owner);
  return hasPid(pid) ? 'unknown' : 'dead';
}

/** Removes drafts of intents whose writers were killed while they wrote. */
export function clearDeadDrafts(ctx: GitContext): void {
  for (const path of listIntentFiles(ctx)) {
    const pid = Number(/\.json\.(\d+)\.\w+\.draft$/.exec(path)?.[1] ?? 0);
    if (pid > 0 && !hasPid(pid)) dropIntent(path);
  }
}

/** The intents that were not finished: by somebody killed, or by somebody who still is at it. */
export function readIntents(ctx: GitContext): FoundIntent[] {
  return listIntentFiles(ctx)
    .filter(path => path.endsWith('.json'))
    .flatMap(path => readIntent(path) ?? []);
}

/** Everything in the folder, finished or not. */
export function listIntentFiles(ctx: GitContext): string[] {
  const dir = getIntentDir(ctx);
  return existsSync(dir) ? readdirSync(dir).map(name => join(dir, name)) : [];
}

/** One intent, or null when it is gone. */
export function readIntent(path: string): FoundIntent | null {
  try {
    return { path, atMs: statSync(path).mtimeMs, intent: JSON.parse(readFileSync(path, 'utf8')) as Intent };
  } catch {
    return null;
  }
}

/**
 * Where intents are kept: in the repository that they are about, so that no loss of a cache leaves a lock there
 * that nobody can explain any more.
 */
export function getIntentDir(ctx: GitContext): string {
  return join(ctx.repo.commonDir, 'harness-intents');
}

/** Where the landing of that token works on an index. */
export function getPrivateIndex(ctx: GitContext, token: string): string {
  return join(getIntentDir(ctx), `${token}.index`);
}

/** Removes whatever the intent of that token has put beside itself. */
export function clearBeside(ctx: GitContext, token: string): void {
  for (const path of listIntentFiles(ctx))
    if (basename(path).startsWith(`${token}.`)) rmSync(path, { recursive: true, force: true });
}

/** Ends an intent; with the last one goes the folder. */
export function dropIntent(path: string): void {
  rmSync(path, { force: true });
  try {
    rmdirSync(dirname(path));
  } catch {
    // Another one is there.
  }
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
