import { closeSync, existsSync, openSync, readdirSync, readSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HarnessError } from '../../core/base/failure.ts';

/** Where the truth is kept inside a state directory. */
export function getStorePath(stateDir: string): string {
  return join(stateDir, 'store.db');
}

/**
 * Says that a store has been here, so that a lost file is never mistaken for a new project. A log
 * alone does not say so: a first opening that was cut short leaves one in which nothing is committed.
 */
export function hasBeenUsed(stateDir: string): boolean {
  return existsSync(getMarkerPath(stateDir));
}

export function writeUsedMarker(stateDir: string): void {
  const path = getMarkerPath(stateDir);
  if (!existsSync(path))
    writeFileSync(path, 'A store has been created here. Keep this file beside store.db.\n');
}

/**
 * Looks at the file before SQLite does, which would take an empty file for a new database and a
 * leftover write-ahead log for the rest of it. Returns whether there is a database.
 */
export function checkStoreFile(stateDir: string): boolean {
  const path = getStorePath(stateDir);
  const walSize = readSize(`${path}-wal`);
  const used = hasBeenUsed(stateDir) || (walSize !== null && walSize > 0);
  const size = readSize(path);
  if (size === null || size === 0) {
    if (used) throw getDamageError(path, size === null ? 'is missing' : 'is empty');
    return false;
  }
  const problem = getHeaderProblem(readHeader(path));
  if (problem) throw getDamageError(path, problem);
  return true;
}

/** Size of a file in bytes; null when it is not there. */
export function readSize(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}

/** The one message for a store that cannot be trusted: nothing was changed, and the ways out. */
export function getDamageError(path: string, problem: string): HarnessError {
  const stateDir = dirname(path);
  const backups = readBackups(stateDir);
  const newest = backups.at(-1);
  const restore = newest ? `restore ${newest} in its place, or ` : '';
  const aside = `${basename(stateDir)}.damaged`;
  return new HarnessError('state', `${path} ${problem}; it was left as it is`, {
    file: path,
    fix: `keep a copy (mv ${stateDir} ${join(dirname(stateDir), aside)}), then ${restore}run harness again: tasks that have landed are known from the committed backlog`,
  });
}

function getMarkerPath(stateDir: string): string {
  return join(stateDir, 'store-created');
}

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(100);
  const fd = openSync(path, 'r');
  try {
    return header.subarray(0, readSync(fd, header, 0, header.length, 0));
  } finally {
    closeSync(fd);
  }
}

function getHeaderProblem(header: Buffer): string | null {
  if (header.length < 100) return 'is cut short';
  if (header.every(byte => byte === 0)) return 'holds nothing but zero bytes';
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') return 'is not a database';
  const pageSize = header.readUInt16BE(16);
  const fixedBytes = [header[21], header[22], header[23]].join();
  const isPageSize = pageSize === 1 || (pageSize >= 512 && (pageSize & (pageSize - 1)) === 0);
  return isPageSize && fixedBytes === '64,32,32' ? null : 'has a damaged header';
}

function readBackups(stateDir: string): string[] {
  const prefix = `${basename(stateDir)}.backup.`;
  try {
    return readdirSync(dirname(stateDir))
      .filter(name => name.startsWith(prefix) && !name.endsWith('.partial'))
      .sort()
      .map(name => join(dirname(stateDir), name));
  } catch {
    return [];
  }
}
