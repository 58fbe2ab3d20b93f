import type { TestResult } from '../core/testing.ts';
import { runSuite } from './baseline.ts';
import { defineCheck } from './context.ts';

/** Every test that passed on the base still passes; what failed before never blocks, what is new always does. */
export const passToPass = defineCheck('pass-to-pass', async ctx => {
  const { attempt, candidate, baseline, signal } = ctx;
  const run = await runSuite(ctx, { slot: attempt.slot, side: 'candidate', tree: candidate.tree, signal });
  if (run === null)
    return { status: 'passed', summary: 'no test suite is configured: nothing could regress' };
  const commands = [run.command];
  if (run.timedOut) return { status: 'inconclusive', summary: 'the test suite ran out of time', commands };
  if (run.reportProblem) {
    const findings = [run.outputTail.slice(-1_500)];
    return {
      status: 'failed',
      summary: `the test suite gave no report: ${run.reportProblem}`,
      findings,
      commands,
    };
  }
  const findings = [
    ...getLost(baseline.passing, run.results),
    ...getNewFailures(baseline.failing, baseline.passing, run.results),
  ];
  if (findings.length > 0) {
    return {
      status: 'failed',
      summary: `${findings.length} tests got worse`,
      findings: findings.slice(0, 50),
      commands,
    };
  }
  const passed = run.results.filter(result => result.outcome === 'passed').length;
  return { status: 'passed', summary: `${passed} tests pass, none got worse`, commands };
});

function getLost(passing: readonly string[], results: readonly TestResult[]): string[] {
  const now = new Map(results.map(result => [result.id, result]));
  const lost: string[] = [];
  for (const id of passing) {
    const result = now.get(id);
    if (result?.outcome !== 'passed') lost.push(`${id} passed before and is now ${describe(result)}`);
  }
  return lost;
}

function getNewFailures(
  failing: readonly string[],
  passing: readonly string[],
  results: readonly TestResult[],
): string[] {
  const known = new Set([...failing, ...passing]);
  return results
    .filter(result => (result.outcome === 'failed' || result.outcome === 'error') && !known.has(result.id))
    .map(result => `${result.id} is new and ${describe(result)}`);
}

function describe(result: TestResult | undefined): string {
  if (!result) return 'gone';
  return result.message ? `${result.outcome} — ${result.message.slice(0, 600)}` : result.outcome;
}
