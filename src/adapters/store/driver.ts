import { getErrorMessage, HarnessError } from '../../core/base/failure.ts';

/** The part of node:sqlite's API that is used; both drivers have it. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  run(...parameters: SqlValue[]): unknown;
  get(...parameters: SqlValue[]): unknown;
  all(...parameters: SqlValue[]): unknown[];
}

export type SqlValue = string | number | Uint8Array | null;

/** Older ones can corrupt a WAL database that several processes write to. */
export const OLDEST_SQLITE = '3.51.3';

/** Long enough for a commit of somebody else, short enough not to hold up the event loop. */
const BUSY_TIMEOUT_MS = 40;

/**
 * Opens a database with whichever driver this Node has. On the way of every command, also the
 * quickest: nothing is imported here that the answer does not need.
 */
export function openDatabase(path: string, options: { readonly readOnly?: boolean } = {}): Database {
  driver ??= loadDriver();
  const readOnly = options.readOnly ?? false;
  const db = new driver(path, { readOnly });
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // On macOS only a full flush reaches the medium; elsewhere the two settings mean nothing.
    if (!readOnly)
      db.exec(
        'PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; PRAGMA foreign_keys = ON',
      );
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** SQLite's primary result code of an error, or null when it is not SQLite's. */
export function getSqliteCode(error: unknown): number | null {
  const { code, errcode, message } = (error ?? {}) as { code?: string; errcode?: number; message?: string };
  if (typeof errcode === 'number') return errcode & 0xff;
  return code === 'ERR_SQLITE_ERROR' ? (CODE_BY_MESSAGE[message ?? ''] ?? 1) : null;
}

/** SQLite's own words for its codes: the package's `all` tells nothing else. */
const CODE_BY_MESSAGE: Readonly<Record<string, number>> = {
  'database is locked': 5,
  'database table is locked': 6,
  'attempt to write a readonly database': 8,
  'disk I/O error': 10,
  'database disk image is malformed': 11,
  'database or disk is full': 13,
  'unable to open database file': 14,
  'file is not a database': 26,
};

/** Whether a version of SQLite may be trusted with several writing processes. */
export function isSupportedSqlite(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [oldMajor = 0, oldMinor = 0, oldPatch = 0] = OLDEST_SQLITE.split('.').map(Number);
  if (major !== oldMajor) return major > oldMajor;
  return minor === oldMinor ? patch >= oldPatch : minor > oldMinor;
}

type Driver = new (path: string, options: { readOnly: boolean }) => Database;

let driver: Driver | null = null;

function loadDriver(): Driver {
  const builtIn = process.versions.sqlite;
  if (builtIn !== undefined && isSupportedSqlite(builtIn)) {
    const found = loadBuiltIn();
    if (found) return found;
  }
  const found = loadPackage();
  const { version } = new found(':memory:', { readOnly: false })
    .prepare('SELECT sqlite_version() AS version')
    .get() as { version: string };
  if (!isSupportedSqlite(version)) throw getTooOldError(version);
  return found;
}

function loadBuiltIn(): Driver | null {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite')) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    const loaded = process.getBuiltinModule('node:sqlite') as { DatabaseSync: Driver } | undefined;
    return loaded?.DatabaseSync ?? null;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function loadPackage(): Driver {
  const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);
  try {
    return loadBinary(require) ?? require('@photostructure/sqlite').DatabaseSync;
  } catch (error) {
    const reason = getErrorMessage(error);
    throw new HarnessError('environment', `no usable SQLite: ${reason}`, {
      fix: `use Node 22.23 or newer, or reinstall so that @photostructure/sqlite is there for ${process.platform}-${process.arch}`,
    });
  }
}

/** The package's own binary without its search for one, which takes longer than reading the whole index. */
function loadBinary(require: NodeJS.Require): Driver | null {
  if (process.platform !== 'linux') return null;
  try {
    const manifest = require.resolve('@photostructure/sqlite/package.json');
    const folder = manifest.replace('package.json', `prebuilds/linux-${process.arch}`);
    return require(`${folder}/@photostructure+sqlite.glibc.node`).DatabaseSync;
  } catch {
    return null;
  }
}

function getTooOldError(version: string): HarnessError {
  return new HarnessError(
    'state',
    `SQLite ${version} can damage a database that several processes use; ${OLDEST_SQLITE} or newer is needed`,
    { fix: 'update Node to its latest release, or reinstall this package with its dependencies' },
  );
}
