import { CHECK_NAMES, type CheckName, type CheckResult } from '../../core/model/check.ts';
import { isDecisive } from '../../core/model/verdict.ts';
import type { TestRuns } from '../../testruns/test-runs.ts';
import { build } from '../build.ts';
import { canary } from '../canary.ts';
import { claim } from '../claim.ts';
import { diff } from '../diff.ts';
import { e2e } from '../e2e.ts';
import { evidence } from '../evidence.ts';
import { failToPass } from '../fail-to-pass.ts';
import { heldOut } from '../held-out.ts';
import { human } from '../human.ts';
import { lint, types } from '../lint-and-types.ts';
import { mutation } from '../mutation.ts';
import { observed } from '../observed.ts';
import { outputs } from '../outputs.ts';
import { passToPass } from '../pass-to-pass.ts';
import { protectedFiles } from '../protected.ts';
import { reversal } from '../reversal.ts';
import { review } from '../review/review.ts';
import { type Check, type CheckContext, getPersonsAnswer } from '../shared/context.ts';
import { looksOnce } from '../shared/own-tests.ts';
import { size } from '../size.ts';
import { surface } from '../surface.ts';
import { testAware } from '../test-aware.ts';
import { visual } from '../visual.ts';

/** When a check may begin where several can be at work at once; in its turn where nothing is said. */
type Begins = 'on sight' | 'with the suite';

/** Every check, in the order of `CHECK_NAMES`: cheap and telling ones first. */
const CHECKS = {
  claim: [claim],
  protected: [protectedFiles],
  diff: [diff],
  outputs: [outputs],
  'test-aware': [testAware, 'on sight'],
  'fail-to-pass': [failToPass, 'on sight'],
  // Only now: an agent whose tests are red is better told which ones, and a task that nobody can do shows.
  evidence: [evidence],
  // Asks for its runs before those that must fail.
  'pass-to-pass': [passToPass, 'with the suite'],
  observed: [observed, 'with the suite'],
  surface: [surface, 'with the suite'],
  canary: [canary, 'with the suite'],
  reversal: [reversal],
  mutation: [mutation, 'with the suite'],
  'held-out': [heldOut],
  lint: [lint, 'with the suite'],
  types: [types, 'with the suite'],
  build: [build],
  size: [size],
  // Time of the machine before the money of a reader.
  e2e: [e2e],
  review: [review],
  visual: [visual],
  human: [human],
} as const satisfies Record<CheckName, readonly [check: Check, begins?: Begins]>;

const getBegun = (when: Begins) => CHECK_NAMES.filter(name => CHECKS[name][1] === when);

/** Runs the checks until one makes going on pointless. */
export async function runChecks(ctx: CheckContext): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  const answer = getPersonsAnswer(ctx);
  const approvedBy = answer?.passed ? answer.by : (ctx.approvedBy ?? null);
  const isOneLook = await looksOnce(ctx);
  const beside = openBeside(ctx);
  try {
    for (const name of CHECK_NAMES) {
      if (ctx.without?.has(name)) continue;
      if (name === 'test-aware') beside.start(getBegun('on sight'));
      if (name === 'test-aware' && isOneLook) beside.start(['pass-to-pass']);
      if (name === 'pass-to-pass') beside.start(getBegun('with the suite'));
      const result = getSettled(
        (await beside.take(name)) ?? (await CHECKS[name][0]({ ...ctx, earlier: results })),
        approvedBy,
      );
      results.push(result);
      ctx.ports.reporter.phase(ctx.task.id, `${result.check}: ${result.status} (${result.summary})`);
      if (isDecisive(result)) break;
    }
    return results;
  } finally {
    await beside.close();
  }
}

/** What was left to a person is settled by their yes to exactly this work; nothing else is. */
function getSettled(result: CheckResult, approvedBy: string | null): CheckResult {
  if (result.status !== 'needs-human' || approvedBy === null) return result;
  return { ...result, status: 'passed', summary: `${approvedBy} said yes to this: ${result.summary}` };
}

interface Beside {
  /** Begins what will be wanted; nothing where commands must not run at the same time. */
  start(names: readonly CheckName[]): void;
  /** The result of a check that was begun so; its runs are noted as if it had been asked now. */
  take(name: CheckName): Promise<CheckResult | null>;
  /** Calls off what nobody has taken, and waits until it has ended: its worktrees are somebody else's then. */
  close(): Promise<void>;
}

/** Checks at the same time as others, where that cannot change what they say. */
function openBeside(ctx: CheckContext): Beside {
  const { clock } = ctx.ports;
  const stop = new AbortController();
  const signal = AbortSignal.any([ctx.signal, stop.signal]);
  const begun = new Map<CheckName, { readonly result: Promise<CheckResult>; readonly tests: TestRuns }>();
  return {
    start: names => {
      for (const name of names) {
        if (!ctx.tests.isSideBySide || ctx.without?.has(name) || begun.has(name)) continue;
        const tests = ctx.tests.fork(signal);
        const result = CHECKS[name][0]({ ...ctx, signal, tests });
        // Told to whoever takes it; what nobody takes is of no interest.
        result.catch(() => undefined);
        begun.set(name, { result, tests });
      }
    },
    take: async name => {
      const found = begun.get(name);
      if (!found) return null;
      const startedMs = clock.monotonicMs();
      const result = await found.result;
      ctx.tests.records.push(...found.tests.records);
      // What it cost is what was waited for it.
      return { ...result, durationMs: Math.round(clock.monotonicMs() - startedMs) };
    },
    close: async () => {
      stop.abort(new Error('decided'));
      await Promise.allSettled([...begun.values()].map(({ result }) => result));
      // A run that nobody waits for any more is still in its place.
      await ctx.tests.worktrees.settle();
    },
  };
}
