import { getErrorMessage, HarnessError } from '../../core/base/failure.ts';
import { type Database, getSqliteCode } from './driver.ts';
import { getDamageError } from './store-files.ts';

const BUSY = 5;
const LOCKED = 6;
const MAX_WAIT_MS = 30_000;

/** One atomic write: takes the write lock first, so that nothing decided inside can be stale. */
export function runWrite<T>(db: Database, path: string, work: () => T): Promise<T> {
  return runWithRetry(path, () => {
    db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      db.exec('COMMIT');
      return result;
    } catch (error) {
      rollBack(db);
      throw error;
    }
  });
}

/**
 * Runs `work` again when the database is busy. SQLite itself waits only briefly, because it waits
 * without letting anything else run; the rest of the waiting happens here, with jitter so that many
 * workers get an even share.
 */
export async function runWithRetry<T>(path: string, work: () => T): Promise<T> {
  for (let waitedMs = 0; ; ) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw getStoreError(error, path);
      if (waitedMs >= MAX_WAIT_MS) throw getBusyError(path);
    }
    const pauseMs = 4 + Math.random() * 40;
    await new Promise(resolve => setTimeout(resolve, pauseMs));
    waitedMs += pauseMs;
  }
}

/** SQLite's errors in the words of a person; anything else stays as it is. */
export function getStoreError(error: unknown, path: string): unknown {
  if (error instanceof HarnessError) return error;
  const message = getErrorMessage(error);
  switch (getSqliteCode(error)) {
    case 1:
      return message.includes('file format') ? getDamageError(path, `is damaged (${message})`) : error;
    case 11:
      return getDamageError(path, 'is damaged');
    case 26:
      return getDamageError(path, 'is not a database');
    case 13:
      return new HarnessError('environment', `the disk is full: ${path} could not be written`, {
        file: path,
        fix: 'free some space and run the command again; nothing has been lost',
      });
    case 3:
    case 8:
    case 14:
      return new HarnessError('state', `${path} cannot be opened for writing: ${message}`, {
        file: path,
        fix: 'give this user write access to the state directory and everything in it',
      });
    case 10:
      return new HarnessError('state', `the disk failed on ${path}: ${message}`, {
        file: path,
        fix: 'check the disk, then run the command again; what was recorded before is safe',
      });
    default:
      return error;
  }
}

function isBusy(error: unknown): boolean {
  const code = getSqliteCode(error);
  return code === BUSY || code === LOCKED;
}

function getBusyError(path: string): HarnessError {
  return new HarnessError('locked', `another process has kept ${path} locked for ${MAX_WAIT_MS / 1000} s`, {
    file: path,
    fix: 'end the process that holds it (a database browser, a backup tool), then try again',
  });
}

function rollBack(db: Database): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // SQLite has already rolled back by itself.
  }
}
