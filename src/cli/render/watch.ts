import type { Reporter, TrialWatcher } from '../../app/project/watch.ts';
import { getEventLine, type StoredEvent } from '../../core/events/event.ts';
import type { AgentEvent } from '../../core/model/agent-event.ts';
import type { Io } from '../terminal/io.ts';
import { createProgress } from './progress.ts';

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

/** Tells the person what happens: one line per fact, and what goes on in between. A program gets every fact. */
export function createReporter(io: Io, json: boolean): CliReporter {
  const progress = createProgress(json ? { isTty: false, err: () => undefined } : io);
  let endSession: (() => void) | null = null;
  return {
    event(stored: StoredEvent) {
      if (json) return io.err(JSON.stringify({ seq: stored.seq, atMs: stored.atMs, ...stored.event }));
      const line = getEventLine(stored);
      if (line === null) return;
      progress.clear();
      io.err(line);
    },
    agent(_, event: AgentEvent) {
      progress.printed(getAgentText(event));
    },
    phase(task, text) {
      endSession?.();
      progress.phase(`${task === null ? '' : `task ${task}, `}${text}`);
      endSession = text === 'session' ? progress.begin('the agent works') : null;
    },
    note(text) {
      io.err(json ? JSON.stringify({ note: text }) : `note: ${text}`);
    },
    command: progress.begin,
    printed: progress.printed,
    running: progress.running,
    close: () => {
      endSession?.();
      progress.close();
    },
  };
}

function getAgentText(event: AgentEvent): string {
  switch (event.type) {
    case 'text':
    case 'decision':
      return event.text;
    case 'checkpoint':
      return `step ${event.step}/${event.total}: ${event.description}`;
    case 'file':
      return `${event.action} ${event.path}`;
    case 'verify':
    case 'visual':
      return `${event.type} ${event.what} ${event.text}`;
    case 'command':
      return event.exitCode === null ? `$ ${event.command}` : `$ ${event.command} → ${event.exitCode}`;
    case 'usage':
      return `$${event.usage.costUsd.toFixed(4)}`;
    case 'error':
      return `${event.kind}: ${event.message}`;
    case 'advice':
      return `! ${event.command}: ${event.message}`;
  }
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
