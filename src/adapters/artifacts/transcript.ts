import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TranscriptEntry } from '../../ports/index.ts';
import { getWriteError, syncDir, writeAtomic } from './write-atomic.ts';

/** What is heard reaches the disk this much later at most, so that a kill costs no more than that. */
const FLUSH_MS = 250;
const FLUSH_CHARS = 64 * 1024;

export interface TranscriptFile {
  add(entry: TranscriptEntry): void;
  /** Everything is on disk for good; returns the hash of it. */
  close(): string;
}

/** A file of lines that grows while a session goes on, in few writes; `onFlush` is told what was in each. */
export function openTranscriptFile(
  path: string,
  onFlush: (entries: readonly TranscriptEntry[]) => void,
): TranscriptFile {
  const fd = openFile(path);
  const hash = createHash('sha256');
  let lines = '';
  let batch: TranscriptEntry[] = [];
  let timer: NodeJS.Timeout | null = null;

  const flush = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    const bytes = Buffer.from(lines);
    const entries = batch;
    lines = '';
    batch = [];
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    hash.update(bytes);
    if (entries.length > 0) onFlush(entries);
  };
  let failure: unknown = null;
  const tryFlush = (): void => {
    try {
      if (failure === null) flush();
    } catch (error) {
      failure = error;
    }
  };

  return {
    add(entry) {
      lines += `${JSON.stringify({ atMs: entry.atMs, ...entry.event })}\n`;
      batch.push(entry);
      // Money that was spent is known after any kill.
      if (lines.length >= FLUSH_CHARS || entry.event.type === 'usage') tryFlush();
      else timer ??= setTimeout(tryFlush, FLUSH_MS).unref();
    },
    close() {
      tryFlush();
      try {
        if (failure !== null) throw failure;
        fsyncSync(fd);
        syncDir(dirname(path));
      } catch (error) {
        throw getWriteError(error, path);
      } finally {
        closeSync(fd);
      }
      return hash.digest('hex');
    },
  };
}

/**
 * Ends what a dead writer left: half a line is cut off, the rest is there for good. It becomes a file of
 * its own, so that a writer that was only thought dead adds to one that nobody sees.
 */
export function closeTranscriptFile(path: string): string | null {
  const found = readIfThere(path);
  if (found === null) return null;
  const whole = found.slice(0, found.lastIndexOf('\n') + 1);
  writeAtomic(path, whole, { durable: true });
  return createHash('sha256').update(whole).digest('hex');
}

function openFile(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, 'w');
  } catch (error) {
    throw getWriteError(error, path);
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
