import { getIdKey } from '../../../core/model/task.ts';
import type { LeaseRow } from '../lease-actions.ts';
import type { PlainEvent, Rest, StoreEnd } from '../store-end.ts';
import { readAddress } from './address.ts';
import { openDatabase, type Transaction } from './database.ts';
import { EVENT_COLUMNS, type EventRow, toRow, toStoredEvent } from './event-rows.ts';
import { migrate } from './migrations.ts';
import { openProject } from './open-postgres.ts';
import { fromText, toText } from './texts.ts';

export interface SharedPlace {
  readonly url: string;
  readonly project: { readonly key: string; readonly name: string };
  /** As for opening it: what other clones remember stays where it is. */
  readonly clone?: string;
}

/** A project in a database as an end of a move; made where there is none. */
export async function withPostgresEnd<T>(
  { url, project, clone = '' }: SharedPlace,
  work: (end: StoreEnd) => Promise<T>,
): Promise<T> {
  const db = await openDatabase(readAddress(url));
  try {
    await migrate(db);
    const { id } = await openProject(db, project);
    return await db.transact(async transaction => {
      await transaction.query("SET LOCAL lock_timeout = '10s'");
      await transaction.query("SET LOCAL idle_in_transaction_session_timeout = '120s'");
      return work(await createEnd(transaction, { project: id, clone }, db.address.where));
    });
  } finally {
    await db.close();
  }
}

async function createEnd(transaction: Transaction, own: Own, where: string): Promise<StoreEnd> {
  const { query } = transaction;
  const { project } = own;
  const [head] = await query<{ seq: number; moved_to: string | null }>(
    `SELECT h.seq, p.moved_to FROM harness.heads h JOIN harness.projects p ON p.id = h.project
      WHERE h.project = $1 FOR UPDATE OF h`,
    [project],
  );
  return {
    ...{ where, events: head?.seq ?? 0, movedTo: head?.moved_to ?? null },
    readEvents: async (afterSeq, limit) => {
      const rows = await query<EventColumns>(
        `SELECT ${EVENT_COLUMNS} FROM harness.events WHERE project = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
        [project, afterSeq, limit],
      );
      return rows.map(row => toPlain(row, where));
    },
    readRest: () => readRest(transaction, own),
    putEvents: async events => {
      await query(PUT_EVENTS, [project, JSON.stringify(events.map(toGiven))]);
      await query('UPDATE harness.heads SET seq = greatest(seq, $2) WHERE project = $1', [
        project,
        events.at(-1)?.seq ?? 0,
      ]);
    },
    putRest: rest => putRest(transaction, own, rest),
    setMoved: async to => {
      await query('UPDATE harness.projects SET moved_to = $2 WHERE id = $1', [project, to]);
    },
  };
}

interface Own {
  readonly project: number;
  readonly clone: string;
}

type EventColumns = Record<'seq' | 'version' | 'at_ms' | 'sum', number> &
  Record<'stream' | 'type' | 'body', string> & { readonly task: string | null };

/** The bytes of the body as they were written, once it is known that they are. */
function toPlain(columns: EventColumns, where: string): PlainEvent {
  const { seq, version, at_ms: atMs, task, body, sum } = columns;
  const row: EventRow = [seq, columns.stream, version, atMs, columns.type, task, body, sum];
  const { stream } = toStoredEvent(row, where);
  return {
    seq,
    stream,
    version,
    atMs,
    type: fromText(columns.type),
    task: task === null ? null : fromText(task),
    body,
  };
}

function toGiven(event: PlainEvent): object {
  const { seq, stream, version, atMs, body } = event;
  return { ...toRow(JSON.parse(body), event), seq, stream: toText(stream), version, at: atMs };
}

const PUT_EVENTS = `INSERT INTO harness.events (project, seq, stream, version, at_ms, type, task, apart, body, sum)
  SELECT $1, seq, stream, version, at, type, task, apart, body, sum FROM jsonb_to_recordset($2::jsonb)
    AS e(seq bigint, stream text, version bigint, at bigint, type text, task text, apart smallint, body text, sum bigint)`;

type Value = { readonly key: string; readonly value: string };

async function readRest({ query }: Transaction, { project, clone }: Own): Promise<Rest> {
  const values = async (table: 'cache' | 'meta') => {
    const rows = await query<Value>(`SELECT key, value FROM harness.${table} WHERE project = $1`, [project]);
    return rows.flatMap(({ key: kept, value }) => {
      const key = fromText(kept);
      return key.startsWith(clone) ? [[key.slice(clone.length), JSON.parse(value)] as const] : [];
    });
  };
  const [summary] = await query<{ body: string }>('SELECT body FROM harness.summaries WHERE project = $1', [
    project,
  ]);
  const [clock] = await query<{ ms: number }>(
    'SELECT greatest(clock_ms, harness.wall_ms()) AS ms FROM harness.heads WHERE project = $1',
    [project],
  );
  const leases = await query<LeaseRow>(
    'SELECT resource, fence, owner, token, expires_at_ms AS "expiresAtMs" FROM harness.leases WHERE project = $1',
    [project],
  );
  const rows = await query<Rest['rows'][number]>(
    'SELECT id, status, ready_rank AS "readyRank", data FROM harness.task_index WHERE project = $1',
    [project],
  );
  const read = (text: string | null) => (text === null ? null : fromText(text));
  return {
    leases: leases.map(row => ({
      ...row,
      resource: fromText(row.resource),
      owner: read(row.owner),
      token: read(row.token),
    })),
    rows: rows.map(row => ({
      ...row,
      id: fromText(row.id),
      readyRank: read(row.readyRank),
      data: fromText(row.data),
    })),
    summary: fromText(summary?.body ?? ''),
    cache: await values('cache'),
    meta: await values('meta'),
    nowMs: clock?.ms ?? 0,
  };
}

async function putRest({ query }: Transaction, { project, clone }: Own, rest: Rest): Promise<void> {
  const write = (text: string | null) => (text === null ? null : toText(text));
  const leases = rest.leases.map(row => ({
    ...row,
    resource: toText(row.resource),
    owner: write(row.owner),
    token: write(row.token),
  }));
  await query(PUT_LEASES, [project, JSON.stringify(leases)]);
  await query('DELETE FROM harness.task_index WHERE project = $1', [project]);
  const rows = rest.rows.map(({ id, status, readyRank, data }) => ({
    ...{ id: toText(id), key: toText(getIdKey(id)), status, rank: write(readyRank), data: toText(data) },
  }));
  const index = JSON.stringify({ rows, removed: [], summary: toText(rest.summary) });
  await query('SELECT harness.write_index($1, $2::jsonb, true)', [project, index]);
  const toGivenValues = (pairs: Rest['cache']) =>
    JSON.stringify(pairs.map(([key, value]) => ({ key: toText(clone + key), value: JSON.stringify(value) })));
  await query(PUT_CACHE, [project, toGivenValues(rest.cache), rest.nowMs]);
  await query(PUT_META, [project, toGivenValues(rest.meta)]);
  await query(
    'UPDATE harness.heads SET clock_ms = greatest(clock_ms, $2), clock_wall_ms = harness.wall_ms() WHERE project = $1',
    [project, rest.nowMs],
  );
}

const PUT_LEASES = `INSERT INTO harness.leases AS l (project, resource, fence, owner, token, expires_at_ms)
  SELECT $1, resource, fence, owner, token, "expiresAtMs" FROM jsonb_to_recordset($2::jsonb)
    AS g(resource text, fence bigint, owner text, token text, "expiresAtMs" bigint)
  ON CONFLICT (project, resource) DO UPDATE SET fence = excluded.fence, owner = excluded.owner, token = excluded.token,
    expires_at_ms = excluded.expires_at_ms WHERE excluded.fence > l.fence`;

const PUT_CACHE = `INSERT INTO harness.cache (project, key, value, at_ms)
  SELECT $1, key, value, $3 FROM jsonb_to_recordset($2::jsonb) AS g(key text, value text)
  ON CONFLICT (project, key) DO UPDATE SET value = excluded.value, at_ms = excluded.at_ms`;

const PUT_META = `INSERT INTO harness.meta (project, key, value)
  SELECT $1, key, value FROM jsonb_to_recordset($2::jsonb) AS g(key text, value text)
  ON CONFLICT (project, key) DO UPDATE SET value = excluded.value`;
