import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

const ENOUGH_BYTES = 16 * 1024;

/** The last lines of the log that people read; none where there is none yet. */
export function readLogTail(stateDir: string, lines: number): readonly string[] {
  let fd: number;
  try {
    fd = openSync(join(stateDir, 'logs', 'harness-progress.txt'), 'r');
  } catch {
    return [];
  }
  try {
    const start = Math.max(0, fstatSync(fd).size - ENOUGH_BYTES);
    const buffer = Buffer.alloc(ENOUGH_BYTES);
    const text = buffer.toString('utf8', 0, readSync(fd, buffer, 0, ENOUGH_BYTES, start));
    // What is still being written has no end yet, and the first may have lost its beginning.
    const whole = text.split('\n').slice(start > 0 ? 1 : 0, -1);
    return whole.slice(-lines);
  } finally {
    closeSync(fd);
  }
}
