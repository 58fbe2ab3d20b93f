import type { TrialWatcher } from '../../app/project/watch.ts';
import type { Reporter } from '../../ports/index.ts';
import type { Io } from '../terminal/io.ts';
import { listenForSignals } from '../terminal/signals.ts';
import { createProgress } from './progress.ts';
import { createReporter } from './reporter.ts';

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
  const tell = (line: string) => {
    progress.clear();
    io.err(line);
  };
  try {
    return await act({ watcher: { begin: progress.begin, said: progress.said, tell }, signal: stop.signal });
  } finally {
    progress.close();
    stop.dispose();
  }
}
