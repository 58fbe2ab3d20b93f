import type { Baseline } from '../model/testing.ts';
import { isQuarantined, observeBaseline, type Quarantine } from './flaky.ts';

/** What the tests say of the base and of all that has landed. */
export interface Suite {
  /** The last look at the base. */
  baseline: (Baseline & { readonly session: number; readonly atMs: number }) | null;
  /** What has turned red on the base. */
  unexplained: Unexplained | null;
  /** Tests that cannot be relied on, and those that could not. */
  readonly quarantine: Quarantine;
  /** The last look at everything that has landed. */
  checked: {
    readonly commit: string;
    readonly tree: string;
    readonly broken: readonly string[];
    readonly atMs: number;
  } | null;
  /** Landings since then for which not all that proved earlier tasks was run again. */
  unlooked: number;
}

/** Tests that passed at an earlier look at the base and fail at the last one. */
interface Unexplained {
  readonly tree: string;
  readonly tests: readonly string[];
}

export function createSuite(): Suite {
  return { baseline: null, unexplained: null, quarantine: new Map(), checked: null, unlooked: 0 };
}

/** Takes a look at the base: what has turned red since the one before, and which flaky tests were steady. */
export function setBaseline(
  suite: Suite,
  { tree, passing, failing }: Baseline,
  session: number,
  atMs: number,
): void {
  const before = new Set([...(suite.baseline?.passing ?? []), ...(suite.unexplained?.tests ?? [])]);
  const tests = failing.filter(id => before.has(id) && !isQuarantined(suite.quarantine, id));
  suite.unexplained = tests.length > 0 ? { tree, tests } : null;
  suite.baseline = { tree, passing, failing, session, atMs };
  observeBaseline(suite.quarantine, suite.baseline, atMs);
}
