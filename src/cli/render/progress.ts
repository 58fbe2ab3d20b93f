import { getOneLine } from '../../core/base/text.ts';
import type { Io } from '../terminal/io.ts';

/** What is going on, told while nothing else is. */
export interface Progress {
  /** Whose turn it is: a task and a word of the corridor. */
  phase(text: string): void;
  /** Something has begun; the answer ends it. */
  begin(what: string): () => void;
  /** The last line that anything printed. */
  said(line: string): void;
  /** A line that stays is about to be printed. */
  clear(): void;
  /** What has been running at this moment, and for how long; null when nothing is. */
  running(): string | null;
  close(): void;
}

interface Running {
  readonly what: string;
  readonly startedMs: number;
  toldMs: number | null;
}

const TICK_MS = 1_000;
/** Where nobody watches a line that moves: soon after the start, and then now and then. */
const FIRST_MS = 2_000;
const EVERY_MS = 30_000;

/** On a terminal one line that moves; elsewhere plain lines, of commands that take their time. */
export function createProgress(
  io: Pick<Io, 'isTty' | 'err'>,
  now: () => number = () => performance.now(),
  write: (text: string) => void = text => process.stderr.write(text),
): Progress {
  const all = new Set<Running>();
  let phase = '';
  let last = '';
  let isDrawn = false;
  let timer: NodeJS.Timeout | undefined;
  const clear = (): void => {
    if (isDrawn) write('\r\u001b[2K');
    isDrawn = false;
  };
  const draw = (text: string): void => {
    const width = process.stderr.columns ?? 80;
    clear();
    write(text.slice(0, width - 1));
    isDrawn = true;
  };
  const getText = ({ what, startedMs }: Running, most = MAX_COMMAND): string =>
    `  ${getClock(now() - startedMs)}  ${phase}${phase ? ': ' : ''}${getOneLine(what, most)}${last === '' ? '' : `  | ${last}`}`;
  const tick = (): void => {
    const [newest] = [...all].slice(-1);
    if (!newest) return;
    if (io.isTty) {
      draw(getText(newest, Math.floor((process.stderr.columns ?? 80) / 3)));
      return;
    }
    const nowMs = now();
    for (const running of all) {
      const dueMs = running.toldMs === null ? running.startedMs + FIRST_MS : running.toldMs + EVERY_MS;
      if (nowMs < dueMs) continue;
      io.err(getText(running).slice(0, MAX_PLAIN));
      running.toldMs = nowMs;
    }
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    phase: text => {
      phase = text;
      if (all.size > 0) return;
      if (io.isTty) draw(`  ${text} …`);
    },
    begin: what => {
      const running: Running = { what, startedMs: now(), toldMs: null };
      all.add(running);
      last = '';
      if (timer === undefined) {
        timer = setInterval(tick, TICK_MS);
        timer.unref();
      }
      if (io.isTty) tick();
      return () => {
        all.delete(running);
        if (all.size === 0) stop();
      };
    },
    said: line => {
      // Colours and cursor movements of a program would paint over ours.
      const plain = line.replace(CONTROL, '').trim();
      if (plain !== '') last = plain;
    },
    clear,
    running: () => {
      const [first] = all;
      return first
        ? `${getOneLine(first.what, MAX_COMMAND)} was running (${getClock(now() - first.startedMs)})`
        : null;
    },
    close: () => {
      stop();
      clear();
    },
  };
}

const MAX_PLAIN = 200;
const MAX_COMMAND = 100;

function getClock(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const CONTROL = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]|[\\u0000-\\u001f]`, 'g');
