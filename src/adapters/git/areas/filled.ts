import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { joinBytes, readStats, removeTree } from '../../process/remove-tree.ts';
import type { Area } from './area.ts';

/** A file that lies in a tree in another form than git has it: what it was made of, and what it is. */
export interface Filled {
  readonly id: string;
  readonly sha256: string;
  /** Nobody can set that back: a file with the same one has not been touched. */
  readonly ctimeNs: string;
}

/** By path, as bytes in latin1 text. Kept in the area's own git directory, where nobody works. */
export type FilledFiles = Readonly<Record<string, Filled>>;

const FILE = 'filled.json';

/** What was filled in when the area was last laid out. */
export function readFilled(area: Area): FilledFiles {
  try {
    return JSON.parse(readFileSync(join(area.gitDir, FILE), 'utf8')) as FilledFiles;
  } catch {
    return {};
  }
}

export function writeFilled(area: Area, files: FilledFiles): void {
  writeFileSync(join(area.gitDir, FILE), JSON.stringify(files));
}

/** Where a tracked path lies. */
export function getFile(area: Area, path: string): Buffer {
  return joinBytes(area.tree, Buffer.from(path, 'latin1'));
}

export function readTimes(file: Buffer): BigIntStats | null {
  try {
    return lstatSync(file, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Those that somebody may have written to since. */
export function findTouched(area: Area, files: FilledFiles): readonly string[] {
  return Object.keys(files).filter(path => {
    const stats = readTimes(getFile(area, path));
    return !stats?.isFile() || String(stats.ctimeNs) !== files[path]?.ctimeNs;
  });
}

/** Whether the way to a path is made of folders alone: behind a link, it would be somebody else's. */
export function hasRealParents(tree: string, path: string): boolean {
  const parts = path.split('/').slice(0, -1);
  return parts.every((_, at) =>
    readStats(joinBytes(tree, Buffer.from(parts.slice(0, at + 1).join('/'), 'latin1')))?.isDirectory(),
  );
}

/** Takes away what may have been written to, so that it is laid out anew whatever its times say. */
export function dropTouched(area: Area): void {
  const files = readFilled(area);
  const touched = new Set(findTouched(area, files));
  if (touched.size === 0) return;
  for (const path of touched) {
    const file = getFile(area, path);
    if (hasRealParents(area.tree, path) && readTimes(file)?.isFile()) removeTree(file);
  }
  writeFilled(area, Object.fromEntries(Object.entries(files).filter(([path]) => !touched.has(path))));
}

/** A file to copy from, and what has to be true of it. */
export interface FileSource {
  readonly path: string;
  readonly size: number;
  /** Null where the size and the time of change have to do. */
  readonly sha256: string | null;
}

const CHUNK_BYTES = 1024 * 1024;

/** Copies a file if it is what it should be; the hash of what was copied, or null when it was not and nothing is left. */
export function copyVerified(source: FileSource, to: Buffer | string, mode: number): string | null {
  if (!readStats(source.path)?.isFile()) return null;
  const from = openSync(source.path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (fstatSync(from).size !== source.size) return null;
    removeTree(to);
    const sha256 = pump(from, openSync(to, 'wx', mode));
    if (source.sha256 === null || source.sha256 === sha256) return sha256;
    removeTree(to);
    return null;
  } finally {
    closeSync(from);
  }
}

/** The hash of a file's content; null where no plain file is. */
export function readSha256(path: Buffer | string): string | null {
  if (!readStats(path)?.isFile()) return null;
  const from = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return pump(from, null);
  } finally {
    closeSync(from);
  }
}

function pump(from: number, to: number | null): string {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    for (let count = readSync(from, chunk); count > 0; count = readSync(from, chunk)) {
      const part = chunk.subarray(0, count);
      hash.update(part);
      if (to !== null) writeSync(to, part);
    }
  } finally {
    if (to !== null) closeSync(to);
  }
  return hash.digest('hex');
}
