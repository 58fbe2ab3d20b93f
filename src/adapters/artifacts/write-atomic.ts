import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HarnessError } from '../../core/base/failure.ts';

export interface WriteOptions {
  /**
   * Whether the file must survive a power cut. Proofs must; projections are made again from the
   * store, and would pay for two disk flushes after every event.
   */
  readonly durable: boolean;
}

let written = 0;

/** Replaces a file so that whoever looks, and whatever is killed, there is the old one or the new one. */
export function writeAtomic(path: string, content: string | Uint8Array, options: WriteOptions): void {
  const dir = dirname(path);
  const temporary = join(dir, `.${basename(path)}.${process.pid}-${++written}.tmp`);
  try {
    mkdirSync(dir, { recursive: true });
    writeWhole(temporary, content, options.durable);
    renameSync(temporary, path);
    if (options.durable) syncDir(dir);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw getWriteError(error, path);
  }
}

/** Whether a file name is that of a write which never came to its end. */
export function isTemporary(name: string): boolean {
  return /^\..+\.\d+-\d+\.tmp$/.test(name);
}

/** A full disk or a missing right, in the words of a person. */
export function getWriteError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new HarnessError('environment', `the disk is full: ${path} could not be written`, {
      file: path,
      fix: 'free some space and run the command again; nothing has been lost',
    });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new HarnessError('environment', `${path} may not be written (${code})`, {
      file: path,
      fix: 'give this user write access to the state directory and everything in it',
    });
  }
  return error;
}

function writeWhole(path: string, content: string | Uint8Array, durable: boolean): void {
  const fd = openSync(path, 'wx');
  try {
    writeFileSync(fd, content);
    if (durable) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes a new name in a directory survive a power cut. */
export function syncDir(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
