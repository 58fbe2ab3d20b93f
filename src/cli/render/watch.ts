import type { Reporter, TrialWatcher } from '../../app/project/watch.ts';
import { getEventLine, type StoredEvent } from '../../core/events/event.ts';
import type { State } from '../../core/state/state.ts';
import type { Io } from '../terminal/io.ts';
import { getStderr, type Screen } from '../terminal/screen.ts';
import { Board } from './lanes/board.ts';
import { createEventWorkers } from './lanes/event-workers.ts';
import { type Lanes, openLanes } from './lanes/open-lanes.ts';
import { createProgress } from './progress.ts';
import { createWorkReporter, type WorkReporter } from './work-reporter.ts';

/** Shows what happens while a use case works; Ctrl-C ends it, and says how to go on. */
export async function withReporter<T>(
  io: Io,
  json: boolean,
  act: (watched: { readonly reporter: Reporter; readonly signal: AbortSignal }) => Promise<T>,
  goOn?: string,
): Promise<T> {
  const reporter = createReporter(io, json);
  const stop = listenForSignals(reporter.running, goOn);
  try {
    return await act({ reporter, signal: stop.signal });
  } finally {
    reporter.close();
    stop.dispose();
  }
}

/** Shows the commands of a trial while they run; Ctrl-C ends it. */
export async function withTrialWatcher<T>(
  io: Io,
  act: (watched: { readonly watcher: TrialWatcher; readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const progress = createProgress(io);
  const stop = listenForSignals();
  const show = (line: string) => {
    progress.clear();
    io.err(line);
  };
  try {
    return await act({
      watcher: { begin: progress.begin, printed: progress.printed, show },
      signal: stop.signal,
    });
  } finally {
    progress.close();
    stop.dispose();
  }
}

export interface CliReporter extends Reporter {
  /** What is running now, in words; null when nothing is. */
  running(): string | null;
  /** Takes the progress line away; safe to call twice. */
  close(): void;
}

/**
 * Tells the person what happens: one line per fact, and what goes on in between. A program gets every fact. With several
 * lanes all of it says which lane; what one lane alone does is told as it always was.
 */
export function createReporter(io: Io, json: boolean, screen: Screen = getStderr()): CliReporter {
  const shownOn = json ? { isTty: false, err: () => undefined } : io;
  const progress = createProgress(shownOn);
  const alone = createWorkReporter(progress);
  const board = new Board(screen.nowMs);
  const workers = createEventWorkers();
  let lanes: Lanes | null = null;
  const common = (): WorkReporter => lanes?.get(0) ?? alone;
  const event = (stored: StoredEvent, state?: State): void => {
    const by = workers.find(stored.event);
    board.note(stored.event, by, state);
    if (json)
      io.err(JSON.stringify({ seq: stored.seq, atMs: stored.atMs, ...(lanes ? by : {}), ...stored.event }));
    const line = json ? null : getEventLine(stored);
    if (lanes) {
      if (line !== null) lanes.print(line, by?.lane);
      lanes.touch();
    } else if (line !== null) {
      progress.clear();
      io.err(line);
    }
  };
  const note = (text: string): void => {
    if (lanes && !json) lanes.print(`note: ${text}`, 0);
    else io.err(json ? JSON.stringify({ note: text }) : `note: ${text}`);
  };
  return {
    event,
    note,
    phase: (task, text) => common().phase(task, text),
    agent: (task, entry) => common().agent(task, entry),
    command: line => common().command(line),
    printed: line => common().printed(line),
    lane: number => {
      alone.close();
      lanes ??= openLanes(board, shownOn, screen);
      return { event, note, ...lanes.get(number) };
    },
    running: () => (lanes ? board.getRunning() : null) ?? progress.running(),
    close: () => {
      alone.close();
      lanes?.close();
    },
  };
}

/** The first Ctrl-C stops cleanly, and says what it stopped and how to go on; the second is the system's own. */
export function listenForSignals(
  getRunning: () => string | null = () => null,
  goOn = 'harness run continues where it stopped; nothing is lost or charged',
): { signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  const onSignal = () => {
    const running = getRunning();
    const message = `interrupted${running === null ? '' : ` while ${running}`}\n  next: ${goOn}`;
    controller.abort(Object.assign(new Error(message), { name: 'AbortError' }));
  };
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    dispose: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
