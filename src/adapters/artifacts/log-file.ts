import { appendFileSync, closeSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { getWriteError } from './write-atomic.ts';

/** One line of a log and the event it is about, so that it is never written twice. */
export interface LogLine {
  readonly seq: number;
  readonly text: string;
}

export interface LogFile {
  /** The newest event the file knows of. */
  cursor(): number;
  /** Appends the lines of events newer than the cursor, in one write. */
  append(lines: readonly LogLine[]): void;
  /** Appends lines that stand between events; they carry the number of the event before them. */
  appendBeside(lines: readonly LogLine[]): void;
}

/**
 * An append-only log that remembers where it is by its own last line: no second file that could
 * disagree, and a kill between recording an event and logging it costs nothing but a catch-up.
 */
export function openLogFile(path: string, getSeq: (line: string) => number | null): LogFile {
  let known = { size: -1, seq: 0 };
  const refresh = () => {
    if (readSize(path) === known.size) return;
    const seq = readLastSeq(path, getSeq);
    known = { size: readSize(path), seq };
  };
  const write = (lines: readonly LogLine[]) => {
    if (lines.length === 0) return;
    const block = Buffer.from(lines.map(line => `${line.text}\n`).join(''));
    try {
      appendFileSync(path, block);
    } catch (error) {
      throw getWriteError(error, path);
    }
    known = { size: known.size + block.length, seq: Math.max(known.seq, lines.at(-1)?.seq ?? 0) };
  };
  return {
    cursor() {
      refresh();
      return known.seq;
    },
    append(lines) {
      if (lines.length === 0) return;
      refresh();
      write(lines.filter(line => line.seq > known.seq));
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
