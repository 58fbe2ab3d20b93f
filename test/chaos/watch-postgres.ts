import type { Client } from 'pg';
import type { Failpoints } from './failpoints.ts';

type Query = (this: Client, text: string, values?: readonly unknown[]) => Promise<unknown>;

/** Takes the values of a statement and gives those that are sent instead. */
export type Alter = (statement: string, values: readonly unknown[]) => readonly unknown[];

/**
 * Puts failpoints around every statement that goes to PostgreSQL:
 *
 *   before   nothing has been sent
 *   sent     the server has been given it, and does it or has done it; nobody has waited
 *   after    the server has committed, and nobody has taken the answer
 */
export async function watchPostgres(points: Failpoints, alter: Alter): Promise<void> {
  const { default: pg } = await import('pg');
  const original = pg.Client.prototype.query as unknown as Query;
  const watched: Query = async function (text, values = []) {
    const name = `pg.${getStatement(text, values)}`;
    points.pass(`${name}:before`);
    const answer = Reflect.apply(original, this, [text, alter(name, values)]) as Promise<unknown>;
    // Where the connection is cut now, it fails later, and nobody is there any more.
    answer.catch(() => undefined);
    points.pass(`${name}:sent`);
    const result = await answer;
    points.pass(`${name}:after`);
    return result;
  };
  Object.assign(pg.Client.prototype, { query: watched });
}

/** What the statement is; an append by the last fact that it brings. */
function getStatement(text: string, values: readonly unknown[]): string {
  const [, name] = /harness\.(append|acquire|renew|release|open_project)\(\$1/.exec(text) ?? [];
  if (name === 'append') return `append@${getLastType(String(values[0]))}`;
  if (name !== undefined) return name;
  const [, put] = /^INSERT INTO harness\.(cache|meta) /.exec(text) ?? [];
  if (put !== undefined) return `put-${put}`;
  const [, read] = /^SELECT .*? FROM harness\.(events|leases|cache|meta|heads) /s.exec(text) ?? [];
  if (read !== undefined) return `read-${read}`;
  return /^(BEGIN|COMMIT)\b/.test(text) ? text.slice(0, 6).trim().toLowerCase() : 'layout';
}

/** A row of an event begins with its type. */
function getLastType(request: string): string {
  const { events } = JSON.parse(request) as { readonly events: readonly { readonly type: string }[] };
  return events.at(-1)?.type ?? 'summary';
}
