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
import { openDatabase } from './driver.ts';
import { getStorePath, writeUsedMarker } from './store-files.ts';

/**
 * Copies the database to a folder beside the state directory that can be put in its place as it is.
 * Works while somebody holds the write lock, and then copies exactly what they are about to change.
 */
export function writeBackup(stateDir: string, nowMs: number): string {
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
