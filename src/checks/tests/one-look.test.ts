import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import {
  BASE,
  type CheckCase,
  changeRuns,
  createCheckContext,
  HEALTHY,
} from '../../../test/support/check-bench.ts';
import { getVerdict } from '../../core/model/verdict.ts';
import { runChecks } from '../run/run-checks.ts';
import { MIN_SUITE_MS } from '../shared/own-tests.ts';

interface Look extends CheckCase {
  readonly suiteMs?: number;
  readonly isSideBySide?: boolean;
  /** Whether everything that is installed is made anew for each run. */
  readonly isFresh?: boolean;
}

/** What is run of the candidate once the base has been measured, and the verdict. */
async function judge({ suiteMs = 5, isSideBySide = true, isFresh = false, ...given }: Look) {
  const answer = given.answer ?? (() => ({ durationMs: suiteMs }));
  const { ctx, ran } = await createCheckContext({ ...given, answer });
  const ports = isFresh ? { workspace: { ...ctx.ports.workspace, isSealed: async () => false } } : {};
  await changeRuns(ctx, { ports }).tests.baseline(ctx.baseTree);
  ran.length = 0;
  const results = await runChecks(changeRuns(ctx, { ports, isSideBySide }));
  const own = ran.filter(run => run.startsWith('test test/1') && !run.endsWith('pristine-3'));
  const suite = ran.filter(run => run === 'test @ pristine-2');
  return { word: getVerdict(results).word, own: own.length, suite: suite.length, first: ran[0], results };
}

describe('one look', () => {
  it.each<[string, Look, number]>([
    ['a short suite', {}, 1],
    ['one place', { isSideBySide: false }, 1],
    ['a long suite', { suiteMs: MIN_SUITE_MS }, 2],
    ['work that leaves something to chance', { candidate: { ...HEALTHY, 'src/2': 'now()' } }, 2],
    [
      'a place that was just made',
      { isFresh: true, policy: { environment: { ...simPolicy.environment, install: 'install' } } },
      2,
    ],
    ['a suite that does not show the own tests', { baseline: { failing: [] } }, 2],
  ])("with %s the task's own file is run as often as it must be", async (_, given, times) => {
    const found = await judge(given);
    expect([found.word, found.own]).toEqual(['proven', times]);
  });

  it('begins with the suite and the own file together', async () => {
    const { own, suite, first } = await judge({});
    expect([own, suite]).toEqual([1, 1]);
    expect(['test @ pristine-2', 'test test/1 @ pristine-1001', 'test test/1 @ pristine-3']).toContain(first);
  });

  it.each<[string, Look, string]>([
    ['a lie', { candidate: { ...BASE, 'src/1': 'bad' } }, 'fail-to-pass'],
    ['a regression', { candidate: { ...HEALTHY, 'src/old': 'bad' } }, 'pass-to-pass'],
  ])('%s is caught at the check that it was caught at before', async (_, given, last) => {
    const found = await judge(given);
    expect([found.word, found.results.at(-1)?.check]).toEqual(['rejected', last]);
  });

  it('own tests that fail in the suite alone prove nothing', async () => {
    const answer: NonNullable<CheckCase['answer']> = ({ command, dir }) =>
      command === 'test' && dir.endsWith('2')
        ? {
            results: [
              { id: 'test/old', outcome: 'passed' },
              { id: 'test/1', outcome: 'failed' },
            ],
          }
        : {};
    const { word } = await judge({ answer });
    expect(word).not.toBe('proven');
  });
});
