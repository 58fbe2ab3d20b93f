import { getOneLine } from '../../core/base/text.ts';
import type { Io } from '../terminal/io.ts';
import { getClock } from './clock.ts';

/** What is going on, told while nothing else is. */
export interface Progress {
  /** Whose turn it is: a task and a step of the pipeline. */
  phase(text: string): void;
  /** Something has begun; the answer ends it. */
  begin(what: string): () => void;
  /** The last line that anything printed. */
  printed(line: string): void;
  /** A line that stays is about to be printed. */
  clear(): void;
  /** What has been running at this moment, and for how long; null when nothing is. */
  running(): string | null;
  close(): void;
}

interface Running {
  readonly what: string;
  readonly startedMs: number;
  shownMs: number | null;
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
  const moving = createMovingLine(write);
  let phase = '';
  let last = '';
  const getText = ({ what, startedMs }: Running, most = MAX_COMMAND): string =>
    `  ${getClock(now() - startedMs)}  ${phase}${phase ? ': ' : ''}${getOneLine(what, most)}${last === '' ? '' : `  | ${last}`}`;
  const ticker = createTicker(() => {
    const newest = [...all].at(-1);
    if (newest && io.isTty) moving.draw(getText(newest, Math.floor(getWidth() / 3)));
    if (io.isTty) return;
    for (const running of takeDue(all, now())) io.err(getText(running).slice(0, MAX_PLAIN));
  });
  return {
    phase: text => {
      phase = text;
      if (all.size === 0 && io.isTty) moving.draw(`  ${text} …`);
    },
    begin: what => {
      const running: Running = { what, startedMs: now(), shownMs: null };
      all.add(running);
      last = '';
      ticker.start();
      if (io.isTty) ticker.tick();
      return () => {
        all.delete(running);
        if (all.size === 0) ticker.stop();
      };
    },
    printed: line => {
      // Colours and cursor movements of a program would paint over ours.
      const plain = line.replace(CONTROL, '').trim();
      if (plain !== '') last = plain;
    },
    clear: moving.clear,
    running: () => {
      const [first] = all;
      if (!first) return null;
      return `${getOneLine(first.what, MAX_COMMAND)} was running (${getClock(now() - first.startedMs)})`;
    },
    close: () => {
      ticker.stop();
      moving.clear();
    },
  };
}

/** The last line of a terminal, drawn in place. */
function createMovingLine(write: (text: string) => void) {
  let isDrawn = false;
  const clear = (): void => {
    if (isDrawn) write('\r\u001b[2K');
    isDrawn = false;
  };
  const draw = (text: string): void => {
    clear();
    write(text.slice(0, getWidth() - 1));
    isDrawn = true;
  };
  return { clear, draw };
}

function getWidth(): number {
  return process.stderr.columns ?? 80;
}

/** Ticks while something runs, and keeps no program from ending. */
function createTicker(tick: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    tick,
    start: () => {
      timer ??= setInterval(tick, TICK_MS).unref();
    },
    stop: () => {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/** What has been running for long enough to be told, or told again; from now on it counts as told. */
function takeDue(all: ReadonlySet<Running>, nowMs: number): readonly Running[] {
  const due = [...all].filter(
    ({ startedMs, shownMs }) => nowMs >= (shownMs === null ? startedMs + FIRST_MS : shownMs + EVERY_MS),
  );
  for (const running of due) running.shownMs = nowMs;
  return due;
}

const MAX_PLAIN = 200;
const MAX_COMMAND = 100;

const CONTROL = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]|[\\u0000-\\u001f]`, 'g');
