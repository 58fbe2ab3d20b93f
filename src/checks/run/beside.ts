import type { CheckName, CheckResult } from '../../core/model/check.ts';
import type { RunRecord } from '../../core/model/testing.ts';
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
  const begun = new Map<CheckName, { readonly result: Promise<CheckResult>; readonly runs: RunRecord[] }>();
  return {
    start: (name, check) => {
      if (!ctx.isSideBySide || ctx.without?.has(name) || begun.has(name)) return;
      const runs: RunRecord[] = [];
      const result = check({ ...ctx, signal, runs });
      // Told to whoever takes it; what nobody takes is of no interest.
      result.catch(() => undefined);
      begun.set(name, { result, runs });
    },
    take: async name => {
      const found = begun.get(name);
      if (!found) return null;
      const startedMs = clock.monotonicMs();
      const result = await found.result;
      ctx.runs?.push(...found.runs);
      // What it cost is what was waited for it.
      return { ...result, durationMs: Math.round(clock.monotonicMs() - startedMs) };
    },
    close: async () => {
      stop.abort(new Error('decided'));
      await Promise.allSettled([...begun.values()].map(({ result }) => result));
      // A run that nobody waits for any more is still in its place.
      const places = [...(ctx.answers ?? [])].filter(([name]) => name.startsWith('place '));
      await Promise.allSettled(places.map(([, used]) => used));
    },
  };
}
