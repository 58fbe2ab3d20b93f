import { hostname } from 'node:os';
import { HarnessError } from '../../core/base/failure.ts';
import { SCHEMA_VERSION } from '../../core/base/version.ts';
import { getIdKey } from '../../core/model/task.ts';
import type { IndexRow } from '../../ports/index.ts';
import { type Database, openDatabase } from './driver.ts';
import { type EventRow, SELECT_EVENTS } from './event-rows.ts';
import type { LeaseRow } from './lease-actions.ts';
import { MOVED_KEY } from './moved.ts';
import { openStore } from './open-store.ts';
import { getSum } from './schema.ts';
import type { PlainEvent, Rest, StoreEnd } from './store-end.ts';
import { checkStoreFile, getDamageError, getStorePath } from './store-files.ts';
import { runWithRetry } from './transaction.ts';

/** The file of a state directory as an end of a move; made where there is none. */
export async function withSqliteEnd<T>(stateDir: string, work: (end: StoreEnd) => Promise<T>): Promise<T> {
  if (!checkStoreFile(stateDir)) await (await openStore({ stateDir })).close();
  const path = getStorePath(stateDir);
  const db = openDatabase(path);
  try {
    await runWithRetry(path, () => db.exec('BEGIN IMMEDIATE'));
    const result = await inTransaction(db, () => {
      refuseOtherSchema(db, path);
      return work(createEnd(db, path));
    });
    return result;
  } finally {
    db.close();
  }
}

/** Closing alone keeps the lock until every statement has been collected. */
async function inTransaction<T>(db: Database, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function refuseOtherSchema(db: Database, path: string): void {
  const { user_version: found } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (found === SCHEMA_VERSION) return;
  throw new HarnessError(
    'state',
    `${path} has schema ${found}, this Harness moves schema ${SCHEMA_VERSION}`,
    {
      file: path,
      fix:
        found < SCHEMA_VERSION ? 'run harness migrate first' : 'update Harness to the version that wrote it',
    },
  );
}

function createEnd(db: Database, path: string): StoreEnd {
  const { events } = db.prepare('SELECT count(*) AS events FROM events').get() as { events: number };
  const moved = db.prepare('SELECT value FROM meta WHERE key = ?').get(MOVED_KEY) as
    | { value: string }
    | undefined;
  return {
    ...{ where: `${path} on ${hostname()}`, events, movedTo: moved?.value ?? null },
    readEvents: async (afterSeq, limit) => {
      const rows = db
        .prepare(`${SELECT_EVENTS} WHERE seq > ? ORDER BY seq LIMIT ?`)
        .all(afterSeq, limit) as EventRow[];
      return rows.map(row => toPlain(row, path));
    },
    readRest: async () => readRest(db),
    putEvents: async given => {
      const put = db.prepare(
        'INSERT INTO events (seq, stream, version, at_ms, type, task, body, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      );
      for (const event of given) {
        const { seq, stream, version, atMs, type, task, body } = event;
        put.run(seq, stream, version, atMs, type, task, body, getSum(event));
      }
    },
    putRest: async rest => putRest(db, rest),
    setMoved: async to => {
      db.prepare('DELETE FROM meta WHERE key = ?').run(MOVED_KEY);
      if (to !== null) db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run(MOVED_KEY, to);
    },
  };
}

function toPlain({ sum, ...event }: EventRow, path: string): PlainEvent {
  if (sum !== getSum(event))
    throw getDamageError(path, `is damaged (event ${event.seq} is not what was written)`);
  return event;
}

type Value = { readonly key: string; readonly value: string };

const USER = 'user.';

function readRest(db: Database): Rest {
  const list = <Row>(sql: string) => db.prepare(sql).all() as Row[];
  const toPairs = (rows: readonly Value[]) => rows.map(({ key, value }) => [key, JSON.parse(value)] as const);
  const [summary] = list<{ body: string }>('SELECT body FROM summary');
  const [clock] = list<{ ms: number }>('SELECT ms FROM clock');
  return {
    leases: list<LeaseRow>('SELECT resource, fence, owner, token, expires_at_ms AS expiresAtMs FROM leases'),
    rows: list<IndexRow>('SELECT id, status, ready_rank AS readyRank, data FROM task_index'),
    summary: summary?.body ?? '',
    cache: toPairs(list<Value>('SELECT key, value FROM cache')),
    meta: toPairs(
      list<Value>(`SELECT substr(key, ${USER.length + 1}) AS key, value FROM meta WHERE key GLOB '${USER}*'`),
    ),
    nowMs: Math.max(clock?.ms ?? 0, Date.now()),
  };
}

function putRest(db: Database, { leases, rows, summary, cache, meta, nowMs }: Rest): void {
  const lease =
    db.prepare(`INSERT INTO leases (resource, fence, owner, token, expires_at_ms) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (resource) DO UPDATE SET fence = excluded.fence, owner = excluded.owner, token = excluded.token,
      expires_at_ms = excluded.expires_at_ms WHERE excluded.fence > leases.fence`);
  for (const { resource, fence, owner, token, expiresAtMs } of leases)
    lease.run(resource, fence, owner, token, expiresAtMs);
  db.exec('DELETE FROM task_index');
  const row = db.prepare(
    'INSERT INTO task_index (id, id_key, status, ready_rank, data) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { id, status, readyRank, data } of rows) row.run(id, getIdKey(id), status, readyRank, data);
  db.prepare('INSERT OR REPLACE INTO summary (one, body) VALUES (1, ?)').run(summary);
  const cached = db.prepare('INSERT OR REPLACE INTO cache (key, value, at_ms) VALUES (?, ?, ?)');
  for (const [key, value] of cache) cached.run(key, JSON.stringify(value), nowMs);
  const kept = db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
  for (const [key, value] of meta) kept.run(USER + key, JSON.stringify(value));
  const [clock] = db.prepare('SELECT ms FROM clock').all() as { ms: number }[];
  db.prepare('INSERT OR REPLACE INTO clock (one, ms, wall_ms) VALUES (1, ?, ?)').run(
    Math.max(nowMs, clock?.ms ?? 0),
    Date.now(),
  );
}
