import type { CheckName, CheckResult } from '../../core/model/check.ts';
import type { TestRuns } from '../../testruns/test-runs.ts';
import type { Check, CheckContext } from '../shared/context.ts';

interface Beside {
  /** Begins what will be wanted; nothing where commands must not run at the same time. */
  start(name: CheckName, check: Check): void;
  /** The result of a check that was begun so; its runs are noted as if it had been asked now. */
  take(name: CheckName): Promise<CheckResult | null>;
  /** Calls off what nobody has taken, and waits until it has ended: its places are somebody else's then. */
  close(): Promise<void>;
}

/** Checks at the same time as others, where that cannot change what they say. */
export function openBeside(ctx: CheckContext): Beside {
  const { clock } = ctx.ports;
  const stop = new AbortController();
  const signal = AbortSignal.any([ctx.signal, stop.signal]);
  const begun = new Map<CheckName, { readonly result: Promise<CheckResult>; readonly tests: TestRuns }>();
  return {
    start: (name, check) => {
      if (!ctx.tests.isSideBySide || ctx.without?.has(name) || begun.has(name)) return;
      const tests = ctx.tests.fork(signal);
      const result = check({ ...ctx, signal, tests });
      // Told to whoever takes it; what nobody takes is of no interest.
      result.catch(() => undefined);
      begun.set(name, { result, tests });
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
      await ctx.tests.places.settle();
    },
  };
}
