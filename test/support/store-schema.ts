import { join } from 'node:path';
import { openDatabase } from '../../src/adapters/store/driver.ts';
import { type EventColumns, getSum } from '../../src/adapters/store/schema.ts';
import { getStorePath } from '../../src/adapters/store/store-files.ts';

/** The records of a project as the first version of Harness left them: without a checksum for each event. */
export function makeOlder(dir: string): void {
  change(dir, 1, 'ALTER TABLE events DROP COLUMN sum; DROP TABLE saved');
}

/** The records of a project as some version to come may leave them. */
export function makeNewer(dir: string): void {
  change(dir, 9, 'CREATE TABLE of_a_later_version (x TEXT) STRICT');
}

/** The records of a project as if all of it had happened so much earlier. */
export function makeEarlier(dir: string, byMs: number): void {
  const db = openDatabase(getStorePath(join(dir, '.harness')));
  const rows = db.prepare('SELECT seq, stream, version, at_ms AS atMs, type, task, body FROM events').all();
  const put = db.prepare('UPDATE events SET at_ms = ?, sum = ? WHERE seq = ?');
  for (const row of rows as (EventColumns & { readonly seq: number })[]) {
    const atMs = row.atMs - byMs;
    put.run(atMs, getSum({ ...row, atMs }), row.seq);
  }
  db.close();
}

function change(dir: string, schema: number, sql: string): void {
  const db = openDatabase(getStorePath(join(dir, '.harness')));
  db.exec(`${sql}; PRAGMA user_version = ${schema}`);
  db.prepare("UPDATE meta SET value = ? WHERE key = 'store.schema'").run(String(schema));
  db.prepare("UPDATE meta SET value = '0.9.9' WHERE key = 'store.version'").run();
  db.close();
}
