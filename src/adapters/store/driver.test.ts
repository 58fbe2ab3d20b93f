import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useStateDirs } from '../../../test/support/temp-dir.ts';
import { type Database, getSqliteCode, isSupportedSqlite, OLDEST_SQLITE, openDatabase } from './driver.ts';
import { isNetworkDisk } from './open-store.ts';

describe('isSupportedSqlite', () => {
  it.each([
    [OLDEST_SQLITE, true],
    ['3.51.2', false],
    ['3.45.1', false],
    ['3.51.10', true],
    ['3.53.0', true],
    ['3.6.23', false],
    ['4.0.0', true],
    ['2.99.99', false],
  ])('%s: %s', (version, expected) => {
    expect(isSupportedSqlite(version)).toBe(expected);
  });
});

it('the driver of this Node is one that may be trusted, and waits only briefly for a lock', () => {
  const db = openDatabase(':memory:');
  const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  expect(isSupportedSqlite(version)).toBe(true);
  expect(db.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 40 });
  expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  db.close();
});

it.each([
  ['nfs', 0x6969, true],
  ['cifs', 0xff534d42 | 0, true],
  ['9p', 0x01021997, true],
  ['ext4', 0xef53, false],
  ['tmpfs', 0x01021994, false],
])('a store on %s is refused: %#', (_, type, refused) => {
  expect(isNetworkDisk(type)).toBe(refused);
});

describe('SQLite’s codes are known however the error came about', () => {
  const makeStateDir = useStateDirs();

  it.each(['exec', 'get', 'all'] as const)('a locked database, by %s', how => {
    const path = join(makeStateDir(), 'x.db');
    const [holder, other] = [openDatabase(path), openDatabase(path)];
    holder.exec('CREATE TABLE t (a); BEGIN EXCLUSIVE');
    expect(getSqliteCode(catchError(() => ask(other, how)))).toBe(5);
    holder.close();
    other.close();
  });

  it.each(['exec', 'get', 'all'] as const)('a file that is no database, by %s', how => {
    const path = join(makeStateDir(), 'x.db');
    writeFileSync(path, 'something else\n'.repeat(1000));
    expect(getSqliteCode(catchError(() => ask(openDatabase(path, { readOnly: true }), how)))).toBe(26);
  });

  it('an error of something else has none', () => {
    expect([new Error('database is locked'), null, 'x'].map(getSqliteCode)).toEqual([null, null, null]);
  });
});

function ask(db: Database, how: 'exec' | 'get' | 'all'): void {
  if (how === 'exec') db.exec('BEGIN IMMEDIATE');
  else db.prepare('PRAGMA schema_version')[how]();
}

function catchError(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
