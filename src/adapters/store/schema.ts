import { crc32 } from 'node:zlib';
import type { Database } from './driver.ts';

/** One numbered step from the layout before it; only ever adds, so that a backup is never needed twice. */
export interface Migration {
  readonly to: number;
  readonly up: (db: Database) => void;
}

/** Marks the file as ours: a database of something else is never written to. */
export const APPLICATION_ID = 0x48524e53;

/** Every layout there has been, in order. A new database goes through all of them. */
export const MIGRATIONS: readonly Migration[] = [
  { to: 1, up: db => db.exec(FIRST_LAYOUT) },
  { to: 2, up: addSums },
  { to: 3, up: db => db.exec(SAVED_STATES) },
];

/** What an event is held to when it is read: a flipped bit in it must not pass for a fact. */
export interface EventColumns {
  readonly stream: string;
  readonly version: number;
  readonly atMs: number;
  readonly type: string;
  readonly task: string | null;
  readonly body: string;
}

/** The checksum of one event, over all that is kept of it. */
export function getSum({ stream, version, atMs, type, task, body }: EventColumns): number {
  return crc32(JSON.stringify([stream, version, atMs, type, task, body]));
}

function addSums(db: Database): void {
  db.exec('ALTER TABLE events ADD COLUMN sum INTEGER');
  const rows = db.prepare('SELECT seq, stream, version, at_ms AS atMs, type, task, body FROM events').all();
  const put = db.prepare('UPDATE events SET sum = ? WHERE seq = ?');
  for (const row of rows as (EventColumns & { readonly seq: number })[]) put.run(getSum(row), row.seq);
}

const SAVED_STATES = `
  CREATE TABLE saved (
    stream TEXT NOT NULL,
    name TEXT NOT NULL,
    body BLOB NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (stream, name)
  ) STRICT;
`;

const FIRST_LAYOUT = `
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    type TEXT NOT NULL,
    task TEXT,
    body TEXT NOT NULL,
    UNIQUE (stream, version)
  ) STRICT;
  CREATE INDEX events_by_task ON events (task, seq) WHERE task IS NOT NULL;
  CREATE INDEX events_by_type ON events (type, seq);
  CREATE INDEX events_by_time ON events (at_ms, seq);

  CREATE TABLE leases (
    resource TEXT PRIMARY KEY,
    fence INTEGER NOT NULL,
    owner TEXT,
    token TEXT,
    expires_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE task_index (
    id TEXT PRIMARY KEY,
    id_key TEXT NOT NULL,
    status TEXT NOT NULL,
    ready_rank TEXT,
    data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX task_index_by_rank ON task_index (ready_rank, id) WHERE ready_rank IS NOT NULL;
  CREATE INDEX task_index_by_id ON task_index (id_key, id);
  CREATE INDEX task_index_by_status ON task_index (status, id_key, id);

  CREATE TABLE summary (one INTEGER PRIMARY KEY CHECK (one = 1), body TEXT NOT NULL) STRICT;
  CREATE TABLE clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    ms INTEGER NOT NULL,
    wall_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT NOT NULL, at_ms INTEGER NOT NULL) STRICT;
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`;
