import type { Reporter } from '../../ports/index.ts';

export type { Reporter } from '../../ports/index.ts';

/** Who is told what goes on in a use case, and what ends it early. */
export interface Watch {
  readonly reporter?: Reporter;
  readonly signal?: AbortSignal;
}

/** Both, for whoever needs them: nobody is told, and nothing ends it, where nothing was said. */
export function getWatch({ reporter, signal }: Watch): { reporter: Reporter; signal: AbortSignal } {
  return { reporter: reporter ?? SILENT, signal: signal ?? new AbortController().signal };
}

const SILENT: Reporter = { event: () => undefined, agent: () => undefined, phase: () => undefined };

/** Who is told what a trial of commands runs, while it runs. */
export interface TrialWatcher {
  /** A command has begun; the answer ends it. */
  begin(what: string): () => void;
  /** The last line that it printed. */
  printed(line: string): void;
  /** A line that stays. */
  show(line: string): void;
}

/** Watches a trial from its beginning to its end, and gives what it gave. */
export type WatchTrial = <T>(
  act: (watched: { readonly watcher: TrialWatcher; readonly signal: AbortSignal }) => Promise<T>,
) => Promise<T>;

/** For whoever is told nothing of it. */
export function createSilentTrial(signal: AbortSignal): WatchTrial {
  const watcher = { begin: () => () => undefined, printed: () => undefined, show: () => undefined };
  return act => act({ watcher, signal });
}
