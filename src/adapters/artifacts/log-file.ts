import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { getWriteError } from './write-atomic.ts';

/** One line of a log and the event it is about, so that it is never written twice. */
export interface LogLine {
  readonly seq: number;
  readonly text: string;
}

export interface LogFile {
  /** The newest event the file knows of. */
  cursor(): number;
  /** Appends the lines of events newer than the cursor, in one write; all events up to `seq` are done then. */
  append(lines: readonly LogLine[], seq: number): void;
  /** Appends lines that stand between events; they carry the number of the event before them. */
  appendBeside(lines: readonly LogLine[]): void;
}

/**
 * An append-only log that remembers where it is by its own last line, or by the name of the file before:
 * no second file that could disagree, and a kill between recording an event and logging it costs nothing
 * but a catch-up. When it has grown too large it goes on in a new file.
 */
export function openLogFile(
  path: string,
  getSeq: (line: string) => number | null,
  maxBytes = Number.POSITIVE_INFINITY,
): LogFile {
  let known = { size: -1, seq: 0 };
  const refresh = () => {
    const size = readSize(path);
    if (size === known.size) return;
    const seq = readLastSeq(path, getSeq) || (readArchives(path).at(-1)?.seq ?? 0);
    known = { size: readSize(path), seq: Math.max(seq, known.seq) };
  };
  const write = (lines: readonly LogLine[]) => {
    if (lines.length === 0) return;
    const block = Buffer.from(lines.map(line => `${line.text}\n`).join(''));
    try {
      appendFileSync(path, block);
      known = { size: known.size + block.length, seq: Math.max(known.seq, lines.at(-1)?.seq ?? 0) };
      if (known.size > maxBytes) {
        rotate(path, known.seq);
        known = { ...known, size: readSize(path) };
      }
    } catch (error) {
      throw getWriteError(error, path);
    }
  };
  return {
    cursor() {
      refresh();
      return known.seq;
    },
    append(lines, seq) {
      refresh();
      write(lines.filter(line => line.seq > known.seq));
      known = { ...known, seq: Math.max(known.seq, seq) };
    },
    appendBeside(lines) {
      if (lines.length === 0) return;
      refresh();
      write(lines);
    },
  };
}

function readSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The number on the last line that has one; half a line that a crash left behind is cut off first. */
function readLastSeq(path: string, getSeq: (line: string) => number | null): number {
  const size = readSize(path);
  for (let length = 64 * 1024; size > 0; length *= 4) {
    const start = Math.max(0, size - length);
    const tail = readFrom(path, start, size - start);
    const end = tail.lastIndexOf('\n') + 1;
    if (end === 0 && start > 0) continue;
    if (end < tail.length) truncateSync(path, start + end);
    const lines = tail.toString('utf8', 0, end).split('\n');
    if (start > 0) lines.shift();
    for (const line of lines.reverse()) {
      const seq = getSeq(line);
      if (seq !== null) return seq;
    }
    if (start === 0) break;
  }
  return 0;
}

function readFrom(path: string, start: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  const fd = openSync(path, 'r');
  try {
    return buffer.subarray(0, readSync(fd, buffer, 0, length, start));
  } finally {
    closeSync(fd);
  }
}

/** A log that has been closed; the number in its name is the last event it knew of. */
export interface Archive {
  readonly path: string;
  readonly seq: number;
}

/** The closed files of a log, oldest first: `events.jsonl` becomes `events.120-1.jsonl`. */
export function readArchives(path: string): readonly Archive[] {
  const { stem, extension } = getParts(path);
  const found = readNames(dirname(path)).flatMap(name => {
    if (!name.startsWith(`${stem}.`) || !name.endsWith(extension)) return [];
    const numbers = /^(\d+)-(\d+)$/.exec(name.slice(stem.length + 1, -extension.length));
    return numbers
      ? [{ path: join(dirname(path), name), seq: Number(numbers[1]), at: Number(numbers[2]) }]
      : [];
  });
  return found.sort((a, b) => a.seq - b.seq || a.at - b.at);
}

/**
 * Closes a log: whoever appends to its path begins a new file. A rename, so that nothing is lost that
 * another process writes at that moment; it lands in the old file or in the new one.
 */
export function rotate(path: string, seq: number): void {
  const { stem, extension } = getParts(path);
  for (let at = 1; ; at++) {
    const target = join(dirname(path), `${stem}.${seq}-${at}${extension}`);
    if (existsSync(target)) continue;
    try {
      renameSync(path, target);
    } catch (error) {
      // Somebody else has just done it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return;
  }
}

function getParts(path: string): { stem: string; extension: string } {
  const extension = extname(path);
  return { stem: basename(path, extension), extension };
}

/** What lies in a folder; nothing where there is none. */
export function readNames(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
