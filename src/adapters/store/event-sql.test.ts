import { describe, expect, it } from 'vitest';
import type { EventQuery } from '../../ports/index.ts';
import { openDatabase } from './driver.ts';
import { MIGRATIONS } from './schema.ts';
import { getEventSql } from './sqlite-store.ts';

describe('a query of the log', () => {
  it.each<[string, EventQuery, string]>([
    ['one task', { task: 't', stream: 's' }, 'events_by_task'],
    ['one task from a number on', { task: 't', fromSeq: 9, types: ['x'] }, 'events_by_task'],
    ['the newest of a task', { task: 't', limit: 5, newestFirst: true }, 'events_by_task'],
    ['one type', { types: ['x'], stream: 's' }, 'events_by_type'],
    ['since a time', { sinceMs: 1, untilMs: 2 }, 'events_by_time'],
    ['a whole stream', { stream: 's' }, 'sqlite_autoindex_events_1'],
    ['what came since', { stream: 's', fromSeq: 5 }, 'INTEGER PRIMARY KEY'],
  ])('for %s goes by an index', (_, query, index) => {
    expect(readPlan(query)).toContain(index);
  });

  it.each<[string, EventQuery]>([
    ['one task', { task: 't', stream: 's', newestFirst: true }],
    ['one type', { types: ['x'], limit: 5 }],
    ['a whole stream', { stream: 's' }],
    ['what came since', { stream: 's', fromSeq: 5 }],
    ['the newest', { limit: 5, newestFirst: true }],
  ])('for %s needs no sorting', (_, query) => {
    expect(readPlan(query)).not.toContain('TEMP B-TREE');
  });
});

function readPlan(query: EventQuery): string {
  const db = openDatabase(':memory:');
  for (const migration of MIGRATIONS) migration.up(db);
  const { text, values } = getEventSql(query);
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[];
  db.close();
  return rows.map(row => row.detail).join('\n');
}
