import type { HarnessEvent, StoredEvent } from '../../core/events/event.ts';
import { getIdKey } from '../../core/model/task.ts';
import type { AppendRequest, AppendResult } from '../../ports/index.ts';
import { type EventRow, SELECT_EVENTS, toStoredEvent } from './event-rows.ts';
import { acquireLease, freeLease, hasLease } from './lease-actions.ts';
import { getSum } from './schema.ts';
import { readMoment, type StoreContext } from './store-context.ts';
import { MAX_TAIL, mayFollow } from './tail.ts';

/**
 * The store's one write of facts, inside a transaction: every question first, then every change.
 * A fenced caller is told so before anything else; a stale one before it can take a lease.
 */
export function appendEvents(context: StoreContext, request: AppendRequest): AppendResult {
  const moment = readMoment(context);
  const refuse = <T extends AppendResult>(result: T): T => {
    moment.recordJump();
    return result;
  };
  if (request.lease && !hasLease(context, request.lease, moment.nowMs)) {
    return refuse({ ok: false, why: 'fenced' });
  }
  const version = readVersion(context, request.stream);
  const tail = version === request.expectedVersion ? [] : readTail(context, request);
  if (!mayFollow(tail, version, request)) return refuse({ ok: false, why: 'conflict', version, tail });
  const taken = request.acquire ? acquireLease(context, request.acquire, moment.nowMs) : null;
  if (taken && !taken.ok) return refuse({ ok: false, why: 'held', by: taken.by });
  if (request.release && request.lease) freeLease(context, request.lease);
  request.events.forEach((event, i) => {
    insertEvent(context, request, version + 1 + i, event);
  });
  if (request.index) writeIndex(context, request.index, tail.length === 0);
  moment.record();
  return {
    ok: true,
    version: version + request.events.length,
    seq: readSeq(context),
    lease: taken?.lease ?? null,
    tail,
  };
}

function readTail(context: StoreContext, { stream, expectedVersion }: AppendRequest): StoredEvent[] {
  const rows = context
    .sql(`${SELECT_EVENTS} WHERE stream = ? AND version > ? ORDER BY version LIMIT ?`)
    .all(stream, expectedVersion, MAX_TAIL) as EventRow[];
  return rows.map(row => toStoredEvent(row, context.path));
}

function readVersion(context: StoreContext, stream: string): number {
  const row = context.sql('SELECT max(version) AS version FROM events WHERE stream = ?').get(stream);
  return (row as { version: number | null }).version ?? 0;
}

function readSeq(context: StoreContext): number {
  const row = context.sql('SELECT max(seq) AS seq FROM events').get() as { seq: number | null };
  return row.seq ?? 0;
}

function insertEvent(
  context: StoreContext,
  { stream, atMs }: AppendRequest,
  version: number,
  event: HarnessEvent,
): void {
  const task = 'task' in event && event.task !== undefined ? event.task : null;
  const body = JSON.stringify(event);
  const sum = getSum({ stream, version, atMs, type: event.type, task, body });
  context
    .sql('INSERT INTO events (stream, version, at_ms, type, task, body, sum) VALUES (?, ?, ?, ?, ?, ?, ?)')
    .run(stream, version, atMs, event.type, task, body, sum);
}

function writeIndex(
  context: StoreContext,
  index: NonNullable<AppendRequest['index']>,
  withSummary: boolean,
): void {
  const remove = context.sql('DELETE FROM task_index WHERE id = ?');
  for (const id of index.removed) remove.run(id);
  const put = context.sql(
    'INSERT OR REPLACE INTO task_index (id, id_key, status, ready_rank, data) VALUES (?, ?, ?, ?, ?)',
  );
  for (const row of index.rows) put.run(row.id, getIdKey(row.id), row.status, row.readyRank, row.data);
  if (!withSummary) return;
  context.sql('INSERT OR REPLACE INTO summary (one, body) VALUES (1, ?)').run(index.summary);
}
