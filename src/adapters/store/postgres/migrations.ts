import { HarnessError } from '../../../core/base/failure.ts';
import { HARNESS_VERSION } from '../../../core/base/version.ts';
import type { Database, Transaction } from './database.ts';
import FUNCTIONS from './functions.sql';
import SAVED_STATES from './saved-states.sql';
import TABLES from './tables.sql';

/** One numbered step from the layout before it. */
export interface Migration {
  readonly to: number;
  /** The oldest layout whose writers may still write after it. */
  readonly minWriter: number;
  readonly sql: string;
}

/** Every layout there has been, in order; a new database goes through all of them. */
export const MIGRATIONS: readonly Migration[] = [
  { to: 1, minWriter: 1, sql: TABLES + FUNCTIONS },
  { to: 2, minWriter: 1, sql: SAVED_STATES },
];

/** `compatibility` of the config, and the seams a test needs. */
export interface LayoutOptions {
  readonly onOlderState?: 'migrate' | 'abort';
  readonly onNewerState?: 'abort' | 'warn';
  readonly onWarning?: (text: string) => void;
  readonly onMigrated?: (report: { readonly from: number; readonly to: number }) => void;
  readonly migrations?: readonly Migration[];
}

interface Layout {
  /** 0 where nothing of the harness is there. */
  readonly version: number;
  readonly madeBy: string | null;
}

/** Brings the database to the newest layout; of several who try at once one does it, and the others see it done. */
export async function migrate(db: Database, options: LayoutOptions = {}): Promise<number> {
  const migrations = options.migrations ?? MIGRATIONS;
  const newest = migrations.at(-1)?.to ?? 0;
  const { where } = db.address;
  const found = await readLayout(db, where);
  if (found.version > newest) refuseNewer(where, found, newest, options);
  if (found.version >= newest) return found.version;
  if (found.version > 0 && options.onOlderState === 'abort') throw getOlderError(where, found, newest);
  const from = await db.transact(transaction => migrateLocked(transaction, where, migrations));
  if (from > newest) refuseNewer(where, { version: from, madeBy: null }, newest, options);
  if (from < newest) options.onMigrated?.({ from, to: newest });
  return Math.max(from, newest);
}

/** What is there, without changing anything. */
export async function readLayout(db: Database, where: string): Promise<Layout> {
  return findLayout((text, values) => db.call(text, values), where);
}

type Ask = Transaction['query'];

/** Any number that nobody else takes: "Hrns". */
const LOCK = 0x48726e73;

async function migrateLocked(
  { query }: Transaction,
  where: string,
  migrations: readonly Migration[],
): Promise<number> {
  await query("SET LOCAL lock_timeout = '30s'");
  await query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  // Whoever was first has done it meanwhile.
  const { version } = await findLayout(query, where);
  for (const migration of migrations)
    if (migration.to > version) {
      await query(migration.sql);
      await query(
        `INSERT INTO harness.layout (one, version, min_writer, made_by) VALUES (1, $1, $2, $3)
          ON CONFLICT (one) DO UPDATE SET version = excluded.version, min_writer = excluded.min_writer, made_by = excluded.made_by`,
        [migration.to, migration.minWriter, HARNESS_VERSION],
      );
    }
  return version;
}

async function findLayout(query: Ask, where: string): Promise<Layout> {
  const [there] = await query<{ layout: string | null; others: number }>(
    `SELECT to_regclass('harness.layout') AS layout, (SELECT count(*)::int FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'harness') AS others`,
  );
  if (there?.layout == null) {
    if (there?.others === 0) return { version: 0, madeBy: null };
    throw new HarnessError(
      'state',
      `schema harness in ${where} is not one of Harness; it was left as it is`,
      {
        file: where,
        field: 'store.url',
        fix: 'use a database of its own, or rename that schema (ALTER SCHEMA harness RENAME TO …)',
      },
    );
  }
  const [row] = await query<{ version: number; made_by: string }>(
    'SELECT version, made_by FROM harness.layout',
  );
  return { version: row?.version ?? 0, madeBy: row?.made_by ?? null };
}

function refuseNewer(where: string, found: Layout, newest: number, options: LayoutOptions): void {
  const maker = found.madeBy ? `Harness ${found.madeBy}` : 'a newer Harness';
  const text = `${where} was laid out by ${maker} (schema ${found.version}); this is ${HARNESS_VERSION} (schema ${newest})`;
  if (options.onNewerState === 'warn') {
    options.onWarning?.(`${text}; going on, as compatibility.on_newer_state says`);
    return;
  }
  throw new HarnessError('state', text, { file: where, fix: 'update Harness on this machine' });
}

function getOlderError(where: string, { version }: Layout, newest: number): HarnessError {
  return new HarnessError(
    'state',
    `${where} has schema ${version} and this Harness needs ${newest}; compatibility.on_older_state is abort`,
    { file: where, field: 'compatibility.on_older_state', fix: 'run harness migrate' },
  );
}
