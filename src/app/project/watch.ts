import type { Reporter } from '../../ports/index.ts';

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
