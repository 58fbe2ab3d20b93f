import { judgeLost } from '../core/flaky.ts';
import type { TestResult, TestRun } from '../core/testing.ts';
import { judgeBaseVersions, mayBeGone } from './base-versions.ts';
import { runSuite } from './baseline.ts';
import { type CheckContext, defineCheck } from './context.ts';
import { doubtInSuite, doubtOwnTests, recallOwnTests } from './own-stability.ts';
import { type Suspect, settleLost } from './settle-lost.ts';

/**
 * Every test that passed on the base still passes; what failed before never blocks, what is new always
 * does. Where runs disagree they are made again: what is flaky neither blocks nor proves.
 */
export const passToPass = defineCheck('pass-to-pass', async ctx => {
  const { attempt, candidate, signal } = ctx;
  const own = await recallOwnTests(ctx);
  const doubt = await doubtOwnTests(ctx, own);
  if (doubt) return doubt;
  const run = await runSuite(ctx, { slot: attempt.slot, side: 'candidate', tree: candidate.tree, signal });
  if (run === null)
    return { status: 'passed', summary: 'no test suite is configured: nothing could regress' };
  const commands = [run.command];
  if (run.timedOut) return { status: 'inconclusive', summary: 'the test suite ran out of time', commands };
  if (run.reportProblem) {
    const findings = [run.outputTail.slice(-1_500)];
    const summary = `the test suite gave no report: ${run.reportProblem}`;
    return { status: 'failed', summary, findings, commands };
  }
  const unsteady = doubtInSuite(own, run);
  if (unsteady) return { ...unsteady, commands };
  const { findings, flaky } = await judgeSuite(ctx, run);
  if (findings.length > 0) {
    const summary = `${findings.length} tests got worse`;
    return { status: 'failed', summary, findings: findings.slice(0, 50), commands };
  }
  const passed = run.results.filter(result => result.outcome === 'passed').length;
  const aside = flaky > 0 ? `, ${flaky} flaky ones left aside` : '';
  return { status: 'passed', summary: `${passed} tests pass, none got worse${aside}`, commands };
});

interface Judgement {
  readonly findings: readonly string[];
  /** How many tests were left aside. */
  readonly flaky: number;
}

async function judgeSuite(ctx: CheckContext, run: TestRun): Promise<Judgement> {
  const { baseline, quarantine } = ctx;
  const counts = (id: string) => !quarantine?.has(id);
  const now = new Map(run.results.map(result => [result.id, result]));
  const lost = getLost(baseline.passing.filter(counts), run.results);
  const kept = lost.filter(id => now.has(id) || !mayBeGone(ctx, id));
  const suspects = await settleLost(ctx, kept, run);
  const judged = suspects.map(suspect => ({ suspect, word: judgeLost(suspect, true) }));
  const flaky = judged.filter(({ word }) => word === 'flaky').map(({ suspect }) => suspect);
  ctx.flaky?.push(...flaky.map(({ id, candidate, base }) => ({ id, evidence: [...base, ...candidate] })));
  const findings = [
    ...judged.flatMap(({ suspect, word }) => {
      if (word === 'flaky') return [];
      const what = describe(now.get(suspect.id));
      return [
        word === 'regression'
          ? `${suspect.id} passed before and is now ${what}`
          : `flaky: ${suspect.id} passes on the base, and with the change only ${countGreen(suspect)} (${what})`,
      ];
    }),
    ...(await judgeBaseVersions(ctx)),
    ...getNewFailures(
      baseline.failing,
      baseline.passing,
      run.results.filter(({ id }) => counts(id)),
    ),
  ];
  const known = [...baseline.passing, ...baseline.failing].filter(id => !counts(id)).length;
  return { findings, flaky: flaky.length + known };
}

function getLost(passing: readonly string[], results: readonly TestResult[]): string[] {
  const green = new Set(results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  return passing.filter(id => !green.has(id));
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

function countGreen({ candidate }: Suspect): string {
  const green = candidate.filter(({ outcome }) => outcome === 'passed').length;
  return `${green} of ${candidate.length} times`;
}

function describe(result: TestResult | undefined): string {
  if (!result) return 'gone';
  return result.message ? `${result.outcome} — ${result.message.slice(0, 600)}` : result.outcome;
}
