import type { EventQuery } from '../../../ports/index.ts';
import { EVENT_COLUMNS } from './event-rows.ts';
import { toText } from './texts.ts';

/** The statement for a query of the log of one project. */
export function getEventQuery(
  project: number,
  query: EventQuery,
): { readonly text: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [project];
  const where = ['project = $1'];
  const add = (condition: string, value: unknown) => {
    values.push(value);
    where.push(condition.replace('?', `$${values.length}`));
  };
  if (query.task !== undefined) add('task = ?', toText(query.task));
  if (query.types?.length === 1) add('type = ?', query.types[0]);
  else if (query.types) add('type = ANY (?::text[])', query.types.map(toText));
  if (query.sinceMs !== undefined) add('at_ms >= ?', query.sinceMs);
  if (query.untilMs !== undefined) add('at_ms <= ?', query.untilMs);
  if (query.stream !== undefined) add('stream = ?', toText(query.stream));
  if (query.fromSeq !== undefined) add('seq >= ?', query.fromSeq);
  // The order within a stream is that of the whole log, since one writer at a time gives both numbers.
  const order = `ORDER BY seq${query.newestFirst ? ' DESC' : ''}`;
  if (query.limit !== undefined) values.push(query.limit);
  const limit = query.limit === undefined ? '' : ` LIMIT $${values.length}`;
  return {
    text: `SELECT ${EVENT_COLUMNS} FROM harness.events WHERE ${where.join(' AND ')} ${order}${limit}`,
    values,
  };
}
