import type { EventQuery } from '../../ports.ts';
import type { SqlValue } from './driver.ts';

export interface Sql {
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
    'SELECT seq, stream, version, at_ms AS atMs, type, task, body, sum FROM events',
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
