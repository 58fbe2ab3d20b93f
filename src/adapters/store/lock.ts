import { type Database, getSqliteCode, openDatabase } from './driver.ts';

const TRIES = 10;
const BUSY = 5;

/**
 * A lock between processes, on a file that stays empty: SQLite takes it from whoever is killed. Behind one that
 * stands still nobody waits for long.
 */
export function createLock(path: string): <T>(work: () => T) => T {
  let db: Database | null = null;
  return work => {
    db ??= open(path);
    const isTaken = take(db);
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

function take(db: Database): boolean {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      db.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (getSqliteCode(error) !== BUSY) throw error;
    }
  }
  return false;
}
