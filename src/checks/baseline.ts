import type { Policy } from '../core/policy.ts';
import { type Baseline, getBaseline, type RunRecord, type TestRun } from '../core/testing.ts';
import type { Ports } from '../ports.ts';
import { getSuiteInputs } from './run-cache.ts';
import { runOnTree } from './test-runs.ts';

/** What passes and fails on a tree before anyone touches it; null run when there is no suite. */
export async function measureBaseline(
  ctx: { readonly ports: Ports; readonly policy: Policy; readonly runs?: RunRecord[] | undefined },
  where: { readonly slot: number; readonly tree: string; readonly signal: AbortSignal },
): Promise<{ readonly baseline: Baseline; readonly run: TestRun | null }> {
  const run = await runSuite(ctx, { ...where, side: 'base' });
  return {
    baseline: run ? getBaseline(where.tree, run) : { tree: where.tree, passing: [], failing: [] },
    run,
  };
}

/** The whole suite on one tree. */
export async function runSuite(
  ctx: { readonly ports: Ports; readonly policy: Policy; readonly runs?: RunRecord[] | undefined },
  where: {
    readonly slot: number;
    readonly side: 'candidate' | 'base';
    readonly tree: string;
    readonly signal: AbortSignal;
    readonly purpose?: string;
    readonly repeat?: number;
    readonly observe?: readonly string[];
  },
): Promise<TestRun | null> {
  const suite = getSuiteInputs(ctx.policy, where.tree);
  const looks = { isWatched: true, notesOpened: true } as const;
  return suite && runOnTree(ctx, { purpose: `suite, ${where.side}`, ...looks, ...suite, ...where });
}
