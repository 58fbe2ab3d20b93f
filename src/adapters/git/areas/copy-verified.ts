import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { readStats, removeTree } from '../../process/remove-tree.ts';

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
