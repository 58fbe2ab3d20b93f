import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { HarnessError } from '../../core/base/failure.ts';
import { HARNESS_VERSION } from '../../core/base/version.ts';
import { type Database, openDatabase } from './driver.ts';
import { getMovedError, MOVED_KEY } from './moved.ts';
import { APPLICATION_ID, MIGRATIONS, type Migration } from './schema.ts';
import { checkStoreFile, getDamageError, getStorePath, writeUsedMarker } from './store-files.ts';
import { getStoreError, runWrite } from './transaction.ts';

/** `compatibility` of the config, and the seams a test needs. */
export interface MigrationOptions {
  readonly onOlderState?: 'migrate' | 'abort';
  readonly onNewerState?: 'abort' | 'warn';
  readonly backupBeforeMigrate?: boolean;
  readonly onWarning?: (text: string) => void;
  readonly migrations?: readonly Migration[];
  readonly nowMs?: () => number;
}

export interface MigrationReport {
  readonly from: number;
  readonly to: number;
  /** Where the database was copied first; null when it was new, up to date, or not asked for. */
  readonly backup: string | null;
}

/** Brings the database to the newest layout, in one transaction, with a copy made under its lock. */
export function migrate(
  db: Database,
  stateDir: string,
  wasUsed: boolean,
  options: MigrationOptions = {},
): Promise<MigrationReport> {
  const path = getStorePath(stateDir);
  const migrations = options.migrations ?? MIGRATIONS;
  return runWrite(db, path, () => {
    const found = readSchema(db, path, wasUsed);
    const supported = migrations.at(-1)?.to ?? 0;
    if (found.version > supported) {
      refuseNewer(path, found, supported, options);
      return { from: found.version, to: found.version, backup: null };
    }
    if (found.version === supported) return { from: supported, to: supported, backup: null };
    if (found.version > 0 && options.onOlderState === 'abort') throw getOlderError(path, found, supported);
    const wantsBackup = found.version > 0 && options.backupBeforeMigrate !== false;
    const backup = wantsBackup ? writeBackup(stateDir, (options.nowMs ?? Date.now)()) : null;
    for (const migration of migrations) if (migration.to > found.version) migration.up(db);
    markSchema(db, supported);
    return { from: found.version, to: supported, backup };
  });
}

export interface SchemaStatus {
  /** Null when there is no store yet. */
  readonly current: number | null;
  readonly supported: number;
  readonly needsMigration: boolean;
  /** The version of Harness that made or last migrated the store. */
  readonly madeBy: string | null;
}

/** What `harness version` and `harness migrate` tell, without changing anything. */
export function readSchemaStatus(
  stateDir: string,
  migrations: readonly Migration[] = MIGRATIONS,
): SchemaStatus {
  const path = getStorePath(stateDir);
  const supported = migrations.at(-1)?.to ?? 0;
  if (!checkStoreFile(stateDir)) return { current: null, supported, needsMigration: false, madeBy: null };
  try {
    const db = openDatabase(path, { readOnly: true });
    try {
      const { version, madeBy } = readSchema(db, path, true);
      return { current: version, supported, needsMigration: version < supported, madeBy };
    } finally {
      db.close();
    }
  } catch (error) {
    throw getStoreError(error, path);
  }
}

interface FoundSchema {
  readonly version: number;
  readonly madeBy: string | null;
}

/** The version is kept twice, in the header and in a table: one flipped bit must not start a migration. */
function readSchema(db: Database, path: string, wasUsed: boolean): FoundSchema {
  const { version, application, tables } = db
    .prepare(`SELECT (SELECT user_version FROM pragma_user_version) AS version,
      (SELECT application_id FROM pragma_application_id) AS application,
      (SELECT count(*) FROM sqlite_schema) AS tables`)
    .get() as { version: number; application: number; tables: number };
  if (tables === 0) {
    if (wasUsed || version !== 0) throw getDamageError(path, 'has lost its tables');
    return { version: 0, madeBy: null };
  }
  if (application !== APPLICATION_ID) throw getDamageError(path, 'is not a store of Harness');
  const meta = db.prepare('SELECT value FROM meta WHERE key = ?');
  const recorded = meta.get('store.schema') as { value: string } | undefined;
  if (Number(recorded?.value) !== version) throw getDamageError(path, 'contradicts itself about its schema');
  const moved = meta.get(MOVED_KEY) as { value: string } | undefined;
  if (moved) throw getMovedError(path, moved.value);
  const madeBy = meta.get('store.version') as { value: string } | undefined;
  return { version, madeBy: madeBy?.value ?? null };
}

function markSchema(db: Database, version: number): void {
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version}`);
  const put = db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
  put.run('store.schema', String(version));
  put.run('store.version', HARNESS_VERSION);
}

function refuseNewer(path: string, found: FoundSchema, supported: number, options: MigrationOptions): void {
  const text = getNewerText(path, found.version, found.madeBy, supported);
  if (options.onNewerState === 'warn') {
    options.onWarning?.(`${text}; going on, as compatibility.on_newer_state says`);
    return;
  }
  throw new HarnessError('state', text, {
    file: path,
    fix: `update Harness to ${found.madeBy ?? 'the version that wrote it'} or newer`,
  });
}

function getNewerText(path: string, version: number, madeBy: string | null, supported: number): string {
  const maker = madeBy ? `Harness ${madeBy}` : 'a newer Harness';
  return `${path} was written by ${maker} (schema ${version}); this is ${HARNESS_VERSION} (schema ${supported})`;
}

function getOlderError(path: string, found: FoundSchema, supported: number): HarnessError {
  return new HarnessError(
    'state',
    `${path} has schema ${found.version} and this Harness needs ${supported}; compatibility.on_older_state is abort`,
    { file: path, field: 'compatibility.on_older_state', fix: 'run harness migrate' },
  );
}

/**
 * Copies the database to a folder beside the state directory that can be put in its place as it is.
 * Works while somebody holds the write lock, and then copies exactly what they are about to change.
 */
function writeBackup(stateDir: string, nowMs: number): string {
  const target = getFreeName(`${stateDir}.backup.${getStamp(nowMs)}`);
  const partial = `${target}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const copy = getStorePath(partial);
  const db = openDatabase(getStorePath(stateDir), { readOnly: true });
  try {
    db.exec(`VACUUM INTO '${copy.replaceAll("'", "''")}'`);
  } finally {
    db.close();
  }
  writeUsedMarker(partial);
  writeFileSync(join(partial, '.gitignore'), '*\n');
  sync(copy);
  sync(partial);
  renameSync(partial, target);
  sync(dirname(target));
  return target;
}

function getStamp(nowMs: number): string {
  const digits = new Date(nowMs).toISOString().replace(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}`;
}

function getFreeName(name: string): string {
  for (let n = 2, candidate = name; ; n++) {
    if (!existsSync(candidate)) return candidate;
    candidate = `${name}-${n}`;
  }
}

function sync(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
