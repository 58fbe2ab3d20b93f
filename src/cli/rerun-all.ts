import { createRandom } from '../adapters/process/random.ts';
import { createMemoryStore } from '../adapters/store/memory-store.ts';
import type { LookedAt } from './audit.ts';
import type { Io } from './io.ts';
import type { Project } from './open-project.ts';
import { createReporter } from './reporter.ts';
import { reprove } from './reprove.ts';
import { listenForSignals } from './signals.ts';

/** What came of proving a landing again. */
export interface Rerun {
  readonly ok: boolean;
  readonly verdict: string;
  readonly result: string;
  readonly differences: readonly string[];
}

/** Proves every landing again, oldest first; what one of them ran, the next need not. */
export async function rerunAll(
  io: Io,
  project: Project,
  looked: readonly LookedAt[],
  json: boolean,
): Promise<ReadonlyMap<string, Rerun>> {
  const reruns = new Map<string, Rerun>();
  const reporter = createReporter(io, json);
  const stop = listenForSignals();
  const store = createMemoryStore(Date.now, createRandom().token);
  try {
    for (const { landed, audited, proof } of looked) {
      const { task, commit, tree, base } = landed;
      if (base === null || audited.status === 'unproven') continue;
      const landing = { task, commit, tree, base, named: landed.proof ?? null, proof };
      const options = { reporter, signal: stop.signal, env: io.env, store };
      const { judgement, comparison } = await reprove(project, landing, options);
      const { word } = judgement.verdict;
      const result = comparison?.result ?? 'not-recorded';
      const ok = word === 'proven' && result !== 'different';
      reruns.set(commit, { ok, verdict: word, result, differences: comparison?.differences ?? [] });
    }
  } finally {
    reporter.close();
    stop.dispose();
  }
  return reruns;
}
