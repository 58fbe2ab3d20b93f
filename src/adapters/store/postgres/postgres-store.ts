import { getIdKey } from '../../../core/model/task.ts';
import type { AppendRequest, AppendResult, Lease, LeaseInfo, Store } from '../../../ports/index.ts';
import { createStoreClock, type StoreClock } from '../store-clock.ts';
import { MAX_TAIL } from '../tail.ts';
import type { Database } from './database.ts';
import { getEventQuery } from './event-query.ts';
import { type EventRow, toRow, toStoredEvent } from './event-rows.ts';
import { createSavedStates } from './saved-states.ts';
import { fromText, toText } from './texts.ts';

/** One project in a database. */
export interface PostgresContext {
  readonly db: Database;
  readonly project: number;
  /**
   * Stands before what one clone on one machine remembers: paths mean nothing elsewhere or something else, and runs of
   * tests are believed where they were made.
   */
  readonly clone: string;
  /** The layout that this program writes. */
  readonly writer: number;
  /** A new one for each lease, and for each append to be known by. */
  readonly token: () => string;
}

type Acquire = NonNullable<AppendRequest['acquire']>;

/** The store port on PostgreSQL. Each command is one statement, and one that is sent twice is done once. */
export function createPostgresStore(context: PostgresContext): Store {
  const { db, project, writer, token } = context;
  const clock = createStoreClock();
  const call = async <Answer>(name: string, request: object): Promise<Answer> => {
    const text = JSON.stringify({ project, writer, ...request });
    const [row] = await db.call<{ answer: Answer }>(`SELECT harness.${name}($1::jsonb) AS answer`, [text]);
    return row?.answer as Answer;
  };
  return {
    append: async request => {
      const lease = request.acquire ? { acquire: { ...toAcquire(request.acquire), token: token() } } : {};
      const given = { ...toAppend(request), ...lease, id: token() };
      const answer = await call<Answer>('append', given);
      return toResult(answer, lease.acquire?.token, db.address.where);
    },
    read: async query => {
      const { text, values } = getEventQuery(project, query);
      const rows = await db.read<EventColumns>(text, values);
      return rows.map(row => toStoredEvent(toTuple(row), db.address.where));
    },
    acquire: async request => {
      const acquire = { ...toAcquire(request), token: token() };
      const taken = await call<Taken>('acquire', { acquire });
      if (!taken.ok) return { ok: false, by: toInfo(taken.by) };
      return { ok: true, lease: { ...toInfo(taken.lease), token: acquire.token } };
    },
    renew: async (lease, ttlMs) => {
      const renewed = await call<{ expiresAtMs: number } | null>('renew', { lease: toLease(lease), ttlMs });
      return renewed && { ...lease, ...renewed };
    },
    release: async lease => {
      await call('release', { lease: toLease(lease) });
    },
    leases: async () => {
      const rows = await db.call<LeaseInfo>(
        'SELECT resource, owner, fence, expires_at_ms AS "expiresAtMs" FROM harness.leases WHERE project = $1 AND token IS NOT NULL ORDER BY resource',
        [project],
      );
      return rows.map(toInfo);
    },
    nowMs: () => readNow(context, clock),
    ...createValues(context, clock),
    ...createSavedStates(context),
    close: () => db.close(),
  };
}

/** What is kept by a key; as JSON, which has no zero bytes. */
function createValues(
  { db, project, clone }: PostgresContext,
  clock: StoreClock,
): Pick<Store, 'cacheGet' | 'cachePut' | 'metaGet' | 'metaPut'> {
  const get = async (table: 'cache' | 'meta', key: string): Promise<string | null> => {
    const text = `SELECT value FROM harness.${table} WHERE project = $1 AND key = $2`;
    const [row] = await db.call<{ value: string }>(text, [project, toText(clone + key)]);
    return row === undefined ? null : JSON.parse(row.value);
  };
  return {
    cacheGet: key => get('cache', key),
    cachePut: async (key, value) => {
      const nowMs = await readNow({ db, project }, clock);
      await db.call(
        `INSERT INTO harness.cache (project, key, value, at_ms) VALUES ($1, $2, $3, $4)
          ON CONFLICT (project, key) DO UPDATE SET value = excluded.value, at_ms = excluded.at_ms`,
        [project, toText(clone + key), JSON.stringify(value), nowMs],
      );
    },
    metaGet: key => get('meta', key),
    metaPut: async (key, value) => {
      await db.call(
        `INSERT INTO harness.meta (project, key, value) VALUES ($1, $2, $3)
          ON CONFLICT (project, key) DO UPDATE SET value = excluded.value`,
        [project, toText(clone + key), JSON.stringify(value)],
      );
    },
  };
}

async function readNow(
  { db, project }: Pick<PostgresContext, 'db' | 'project'>,
  clock: StoreClock,
): Promise<number> {
  const [row] = await db.call<{ wallMs: number; ms: number; markWallMs: number }>(
    'SELECT harness.wall_ms() AS "wallMs", clock_ms AS ms, clock_wall_ms AS "markWallMs" FROM harness.heads WHERE project = $1',
    [project],
  );
  if (!row) throw new Error(`no project ${project} in ${db.address.where}`);
  return clock.now({ ms: row.ms, wallMs: row.markWallMs }, row.wallMs);
}

/** What the function `append` says, with a tail of rows. */
type Answer =
  | {
      readonly ok: true;
      readonly version: number;
      readonly seq: number;
      readonly lease: LeaseInfo | null;
      readonly tail: readonly EventRow[];
    }
  | {
      readonly ok: false;
      readonly why: 'conflict';
      readonly version: number;
      readonly tail: readonly EventRow[];
    }
  | { readonly ok: false; readonly why: 'fenced' }
  | { readonly ok: false; readonly why: 'held'; readonly by: LeaseInfo };

type Taken =
  | { readonly ok: true; readonly lease: LeaseInfo }
  | { readonly ok: false; readonly by: LeaseInfo };

type EventColumns = Record<'seq' | 'version' | 'at_ms' | 'sum', number> &
  Record<'stream' | 'type' | 'body', string> & { readonly task: string | null };

function toTuple({ seq, stream, version, at_ms, type, task, body, sum }: EventColumns): EventRow {
  return [seq, stream, version, at_ms, type, task, body, sum];
}

function toAppend(request: AppendRequest): object {
  const { lease, touches, index } = request;
  return {
    stream: toText(request.stream),
    expectedVersion: request.expectedVersion,
    atMs: request.atMs,
    maxTail: MAX_TAIL,
    events: request.events.map(event => toRow(event, request)),
    ...(lease ? { lease: toLease(lease) } : {}),
    ...(lease && request.release ? { release: true } : {}),
    ...(touches ? { touches: touches.map(toText) } : {}),
    ...(index ? { index: toIndex(index) } : {}),
  };
}

function toIndex({ rows, removed, summary }: NonNullable<AppendRequest['index']>): object {
  // Of two rows of one task the last counts.
  const byId = new Map(rows.map(row => [row.id, row]));
  return {
    rows: [...byId.values()].map(({ id, status, readyRank, data }) => ({
      ...{ id: toText(id), key: toText(getIdKey(id)), status, data: toText(data) },
      rank: readyRank === null ? null : toText(readyRank),
    })),
    removed: removed.map(toText),
    summary: toText(summary),
  };
}

function toAcquire({ resource, owner, ttlMs, adoptedFence }: Acquire) {
  const adopted = adoptedFence === undefined ? {} : { adoptedFence };
  return { resource: toText(resource), owner: toText(owner), ttlMs, ...adopted };
}

function toLease({ resource, fence, token }: Lease) {
  return { resource: toText(resource), fence, token: toText(token) };
}

function toInfo({ resource, owner, fence, expiresAtMs }: LeaseInfo): LeaseInfo {
  return { resource: fromText(resource), owner: fromText(owner), fence, expiresAtMs };
}

function toResult(answer: Answer, token: string | undefined, where: string): AppendResult {
  if (!answer.ok && answer.why === 'fenced') return { ok: false, why: 'fenced' };
  if (!answer.ok && answer.why === 'held') return { ok: false, why: 'held', by: toInfo(answer.by) };
  const { version } = answer;
  const tail = answer.tail.map(row => toStoredEvent(row, where));
  if (!answer.ok) return { ok: false, why: 'conflict', version, tail };
  const lease = answer.lease && token !== undefined ? { ...toInfo(answer.lease), token } : null;
  return { ok: true, version, seq: answer.seq, lease, tail };
}
