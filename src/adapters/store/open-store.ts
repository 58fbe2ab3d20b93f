import { statfsSync } from 'node:fs';
import { HarnessError } from '../../core/base/failure.ts';
import type { Store } from '../../ports/index.ts';
import { type Database, openDatabase } from './driver.ts';
import { type MigrationOptions, type MigrationReport, migrate } from './migrations.ts';
import { createSqliteStore } from './sqlite-store.ts';
import { checkStoreFile, getDamageError, getStorePath, hasBeenUsed, writeUsedMarker } from './store-files.ts';
import { createToken } from './token.ts';
import { getStoreError, runWithRetry } from './transaction.ts';

export interface OpenStoreOptions extends MigrationOptions {
  /** Must exist; see createStateDir. */
  readonly stateDir: string;
  /** Reads every page first: for commands that are about to write much, too slow for the others. */
  readonly quickCheck?: boolean;
  readonly token?: () => string;
  /** The machine's clock, for tests of what happens when it jumps. */
  readonly wallMs?: () => number;
  readonly onMigrated?: (report: MigrationReport) => void;
}

/** Opens the store of a state directory, creating it only where there has never been one. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { stateDir } = options;
  const path = getStorePath(stateDir);
  const wasUsed = hasBeenUsed(stateDir);
  const exists = checkStoreFile(stateDir);
  if (options.quickCheck) {
    refuseNetworkDisk(stateDir);
    if (exists) await runWithRetry(path, () => checkPages(path));
  }
  const db = await runWithRetry(path, () => openForWriting(path));
  try {
    const report = await migrate(db, stateDir, wasUsed, options);
    writeUsedMarker(stateDir);
    if (report.from !== report.to) options.onMigrated?.(report);
    const { token = createToken, wallMs } = options;
    return createSqliteStore({ db, path, token, schema: report.to, ...(wallMs && { wallMs }) });
  } catch (error) {
    db.close();
    throw getStoreError(error, path);
  }
}

/** NFS, SMB, CIFS, SMB2, and 9p: the disk of Windows as WSL2 shows it. */
const NETWORK_DISKS = [0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997];

/** Whether a file system's type (statfs) is one where SQLite's locks cannot be trusted. */
export function isNetworkDisk(type: number): boolean {
  return NETWORK_DISKS.includes(type >>> 0);
}

function refuseNetworkDisk(stateDir: string): void {
  if (!isNetworkDisk(statfsSync(stateDir).type)) return;
  throw new HarnessError('state', `${stateDir} is on a network disk, where file locks cannot be trusted`, {
    file: stateDir,
    fix: 'clone the repository to a local disk and run harness there',
  });
}

/** A reader of its own, because it can neither write nor fold the write-ahead log into a damaged file. */
export function checkPages(path: string, how: 'quick_check' | 'integrity_check' = 'quick_check'): void {
  const db = openDatabase(path, { readOnly: true });
  try {
    const [first] = db.prepare(`PRAGMA ${how}(1)`).all() as Record<string, string>[];
    if (first?.[how] !== 'ok') throw getDamageError(path, `is damaged (${first?.[how]})`);
  } finally {
    db.close();
  }
}

function openForWriting(path: string): Database {
  const db = openDatabase(path);
  try {
    db.exec('PRAGMA journal_mode = WAL');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
