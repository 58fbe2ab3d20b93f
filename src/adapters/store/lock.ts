import { type Database, getSqliteCode, openDatabase } from './driver.ts';

/** Each waits as long as SQLite does, about 40 ms. */
const TRIES = 60;
const BUSY = 5;

/**
 * A lock between processes, on a file that stays empty: SQLite takes it from whoever is killed. Behind one that
 * stands still nobody waits for long, and only the first time.
 */
export function createLock(path: string): <T>(work: () => T) => T {
  let db: Database | null = null;
  let tries = TRIES;
  return work => {
    db ??= open(path);
    const isTaken = take(db, tries);
    tries = isTaken ? TRIES : 1;
    try {
      return work();
    } finally {
      if (isTaken) db.exec('ROLLBACK');
    }
  };
}

function open(path: string): Database {
  const db = openDatabase(path);
  db.exec('PRAGMA journal_mode = MEMORY');
  return db;
}

function take(db: Database, tries: number): boolean {
  for (let left = tries; left > 0; left--) {
    try {
      db.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (getSqliteCode(error) !== BUSY) throw error;
    }
  }
  return false;
}
