import type { FlakyTest, Observation } from '../model/facts.ts';
import type { Baseline } from '../model/testing.ts';

/** What the tests say of the base and of all that has landed. */
export interface Suite {
  /** The last look at the base. */
  baseline: (Baseline & { readonly session: number; readonly atMs: number }) | null;
  /** What has turned red on the base. */
  baseRegressions: BaseRegressions | null;
  /** Set while nothing is begun because of it: at this commit nobody has put it right. */
  redBase: { readonly commit: string } | null;
  /** Red tests that a person lives with, until they turn green. */
  readonly tolerated: Set<string>;
  /** Tests that cannot be relied on, and those that could not. */
  readonly quarantine: Quarantine;
  /** The last look at everything that has landed. */
  checked: {
    readonly commit: string;
    readonly tree: string;
    readonly broken: readonly string[];
    /** Tasks that were only marked as done, and tests of their own that fail. */
    readonly marked: readonly MarkedRed[];
    readonly atMs: number;
  } | null;
  /** Landings since then for which not all that proved earlier tasks was run again. */
  unlooked: number;
}

/** Tests that passed at an earlier look at the base and fail at the last one. */
interface BaseRegressions {
  readonly tree: string;
  readonly tests: readonly string[];
}

/** A task that counts as done without a proof, and what says that it is not. */
export interface MarkedRed {
  readonly task: string;
  readonly tests: readonly string[];
}

export function createSuite(): Suite {
  return {
    ...{ baseline: null, baseRegressions: null, redBase: null, checked: null, unlooked: 0 },
    tolerated: new Set(),
    quarantine: new Map(),
  };
}

/** Tests that passed at an earlier look at the base and fail at this one; what a person lives with is not among them. */
export function getNewlyRed(suite: Suite, failing: readonly string[]): readonly string[] {
  const before = new Set([...(suite.baseline?.passing ?? []), ...(suite.baseRegressions?.tests ?? [])]);
  return failing.filter(id => before.has(id) && isRedForAll(suite, id));
}

/** Whether a red test says something: it can be relied on, and nobody has said to live with it. */
export function isRedForAll({ quarantine, tolerated }: Suite, id: string): boolean {
  return !isQuarantined(quarantine, id) && !tolerated.has(id);
}

/** Takes a look at the base: what has turned red since the one before, and which flaky tests were steady. */
export function setBaseline(
  suite: Suite,
  { tree, passing, failing }: Baseline,
  session: number,
  atMs: number,
): void {
  for (const id of passing) suite.tolerated.delete(id);
  const tests = getNewlyRed(suite, failing);
  suite.baseRegressions = tests.length > 0 ? { tree, tests } : null;
  suite.redBase = null;
  suite.baseline = { tree, passing, failing, session, atMs };
  observeBaseline(suite.quarantine, suite.baseline, atMs);
}

/** What is remembered of one: it neither blocks nor proves until it has been steady for a while. */
export interface Quarantined extends FlakyTest {
  readonly sinceMs: number;
  /** Full runs in a row on the base with the same outcome. */
  stableRuns: number;
  lastOutcome: 'passed' | 'failed' | null;
  /** Set once it counts again; the evidence stays. */
  releasedAtMs: number | null;
}

export type Quarantine = Map<string, Quarantined>;

/** So many full runs with one and the same outcome, and a test counts again. */
export const STABLE_RUNS = 10;

/** Evidence kept per test, newest last. */
const MAX_EVIDENCE = 20;

/** Whether one command gave both yes and no on the same bytes. Another command is another question. */
export function isFlaky(observations: readonly Observation[]): boolean {
  const seen = new Map<string, boolean>();
  return observations.some(({ tree, command, outcome }) => {
    const key = `${tree}\n${command}`;
    const passed = outcome === 'passed';
    const before = seen.get(key);
    seen.set(key, passed);
    return before !== undefined && before !== passed;
  });
}

/** Everything seen of a test that passed on the base and not on the candidate. */
export interface Sightings {
  readonly candidate: readonly Observation[];
  readonly base: readonly Observation[];
}

/**
 * `regression`: steady there and steady here. `flaky`: not the candidate's doing. `made-flaky`: steady
 * without the change, unsteady with it, and the change is in what the test uses.
 */
export function judgeLost(seen: Sightings, isTouched: boolean): 'regression' | 'flaky' | 'made-flaky' {
  if (isFlaky(seen.base)) return 'flaky';
  if (!isFlaky(seen.candidate)) return 'regression';
  return isTouched ? 'made-flaky' : 'flaky';
}

/** Whether a test is in quarantine now. */
export function isQuarantined(quarantine: Quarantine, id: string): boolean {
  return quarantine.get(id)?.releasedAtMs === null;
}

/** Puts a test into quarantine, or adds to what is held against it. */
export function addToQuarantine(quarantine: Quarantine, { id, evidence }: FlakyTest, atMs: number): void {
  const before = quarantine.get(id);
  quarantine.set(id, {
    id,
    evidence: [...(before?.evidence ?? []), ...evidence].slice(-MAX_EVIDENCE),
    sinceMs: before?.releasedAtMs === null ? before.sinceMs : atMs,
    stableRuns: 0,
    lastOutcome: null,
    releasedAtMs: null,
  });
}

/** Takes a full run on the base into account: a test that has been steady for long enough is let go. */
export function observeBaseline(
  quarantine: Quarantine,
  { passing, failing }: { readonly passing: readonly string[]; readonly failing: readonly string[] },
  atMs: number,
): void {
  if (![...quarantine.values()].some(test => test.releasedAtMs === null)) return;
  const [passed, failed] = [new Set(passing), new Set(failing)];
  for (const test of quarantine.values()) {
    const outcome = passed.has(test.id) ? 'passed' : failed.has(test.id) ? 'failed' : null;
    if (test.releasedAtMs !== null || outcome === null) continue;
    test.stableRuns = outcome === test.lastOutcome ? test.stableRuns + 1 : 1;
    test.lastOutcome = outcome;
    if (test.stableRuns >= STABLE_RUNS) test.releasedAtMs = atMs;
  }
}
