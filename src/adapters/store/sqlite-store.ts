import type { EventQuery, Store } from '../../ports/index.ts';
import { appendEvents } from './append-events.ts';
import type { Database, SqlValue, Statement } from './driver.ts';
import { type EventRow, SELECT_EVENTS, toStoredEvent } from './event-rows.ts';
import { acquireLease, freeLease, isOurs, readLeases, renewLease } from './lease-actions.ts';
import { createSavedStates } from './saved-states.ts';
import { createStoreClock } from './store-clock.ts';
import { readMoment, type StoreContext } from './store-context.ts';
import { runWithRetry, runWrite } from './transaction.ts';

export interface SqliteStoreOptions {
  readonly db: Database;
  readonly path: string;
  readonly schema: number;
  readonly token: () => string;
  readonly wallMs?: () => number;
}

/** The store port on one SQLite database that several processes may have open. */
export function createSqliteStore(options: SqliteStoreOptions): Store {
  const context = createContext(options);
  const { db, path } = context;
  const write = <T>(work: () => T) => runWrite(db, path, work);
  const read = <T>(work: () => T) => runWithRetry(path, work);
  return {
    append: request => write(() => appendEvents(context, request)),
    read: query =>
      read(() => {
        const { text, values } = getEventSql(query);
        return (context.sql(text).all(...values) as EventRow[]).map(row => toStoredEvent(row, path));
      }),
    acquire: request =>
      write(() => {
        const moment = readMoment(context);
        const taken = acquireLease(context, request, moment.nowMs);
        if (taken.ok) moment.record();
        else moment.recordJump();
        return taken;
      }),
    renew: (lease, ttlMs) =>
      write(() => {
        const moment = readMoment(context);
        moment.record();
        return renewLease(context, lease, ttlMs, moment.nowMs);
      }),
    release: lease =>
      write(() => {
        if (isOurs(context, lease)) freeLease(context, lease);
      }),
    leases: () => read(() => readLeases(context)),
    nowMs: () => read(() => readMoment(context).nowMs),
    cacheGet: key => read(() => getValue(context.sql('SELECT value FROM cache WHERE key = ?').get(key))),
    cachePut: (key, value) =>
      write(() => {
        context
          .sql('INSERT OR REPLACE INTO cache (key, value, at_ms) VALUES (?, ?, ?)')
          .run(key, JSON.stringify(value), readMoment(context).nowMs);
      }),
    metaGet: key =>
      read(() => getValue(context.sql('SELECT value FROM meta WHERE key = ?').get(`user.${key}`))),
    metaPut: (key, value) =>
      write(() => {
        context
          .sql('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)')
          .run(`user.${key}`, JSON.stringify(value));
      }),
    ...createSavedStates(context, { read, write }),
    close: async () => {
      closeDatabase(db);
    },
  };
}

function createContext(options: SqliteStoreOptions): StoreContext {
  const statements = new Map<string, Statement>();
  return {
    db: options.db,
    path: options.path,
    schema: options.schema,
    token: options.token,
    clock: createStoreClock(),
    wallMs: options.wallMs ?? null,
    sql: text => {
      let statement = statements.get(text);
      if (!statement) {
        statement = options.db.prepare(text);
        statements.set(text, statement);
      }
      return statement;
    },
  };
}

/** Values are kept as JSON: some drivers cut a text at its first zero byte. */
function getValue(row: unknown): string | null {
  return row === undefined ? null : JSON.parse((row as { value: string }).value);
}

/** Folds the write-ahead log back in where nobody else needs it, so that one file is the whole store. */
function closeDatabase(db: Database): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Somebody else is using it; the last to close will do it.
  }
  db.close();
}

interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/**
 * The statement for a query of the log. A unary plus keeps SQLite from choosing an index by that
 * column: one task's history must never be found by walking a whole stream.
 */
export function getEventSql(query: EventQuery): Sql {
  const where: string[] = [];
  const values: SqlValue[] = [];
  const add = (text: string, ...added: SqlValue[]) => {
    where.push(text);
    values.push(...added);
  };
  const lead = getLead(query);
  const column = (name: Lead) => (name === lead ? name : `+${name}`);
  if (query.task !== undefined) add(`${column('task')} = ?`, query.task);
  if (query.types) add(`${column('type')} IN (${query.types.map(() => '?').join(', ')})`, ...query.types);
  if (query.sinceMs !== undefined) add(`${column('at_ms')} >= ?`, query.sinceMs);
  if (query.untilMs !== undefined) add(`${column('at_ms')} <= ?`, query.untilMs);
  if (query.stream !== undefined) add(`${column('stream')} = ?`, query.stream);
  if (query.fromSeq !== undefined) add('seq >= ?', query.fromSeq);
  const order = lead === 'stream' ? 'version' : 'seq';
  const text = [
    SELECT_EVENTS,
    where.length > 0 ? `WHERE ${where.join(' AND ')}` : '',
    `ORDER BY ${order}${query.newestFirst ? ' DESC' : ''}`,
    query.limit === undefined ? '' : 'LIMIT ?',
  ];
  if (query.limit !== undefined) values.push(query.limit);
  return { text: text.filter(Boolean).join(' '), values };
}

type Lead = 'task' | 'type' | 'at_ms' | 'stream';

/** The column that narrows most; null reads the log itself in order. */
function getLead(query: EventQuery): Lead | null {
  if (query.task !== undefined) return 'task';
  if (query.types) return 'type';
  if (query.sinceMs !== undefined) return 'at_ms';
  return query.stream !== undefined && query.fromSeq === undefined ? 'stream' : null;
}
