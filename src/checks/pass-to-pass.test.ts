import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import { BASE, type CheckCase, createCheckContext, HEALTHY } from '../../test/support/check-bench.ts';
import type { TestOutcome, TestRun } from '../core/model/testing.ts';
import { passToPass } from './pass-to-pass.ts';

const BASELINE = { passing: ['a', 'b'], failing: ['old'] };

async function check(
  outcomes: Record<string, TestOutcome>,
  rest: Partial<TestRun> = {},
  given: CheckCase = {},
) {
  const results = Object.entries(outcomes).map(([id, outcome]) => ({ id, outcome }));
  const baseline = given.baseline ?? BASELINE;
  const green = (baseline.passing ?? []).map(id => ({ id, outcome: 'passed' as const }));
  const answer: CheckCase['answer'] = ({ command, dir }) => {
    if (command !== 'test') return undefined;
    return dir === 'pristine-3' ? { results: green } : { results, ...rest };
  };
  return passToPass((await createCheckContext({ baseline, answer, ...given })).ctx);
}

const good = { a: 'passed', b: 'passed' } as const;

describe('pass to pass', () => {
  it.each<[string, Record<string, TestOutcome>]>([
    ['everything still passes', good],
    ['what failed before still fails', { ...good, old: 'failed' }],
    ['what failed before breaks', { ...good, old: 'error' }],
    ['what failed before is gone', good],
    ['what failed before passes', { ...good, old: 'passed' }],
    ['a new test passes', { ...good, fresh: 'passed' }],
    ['a new test is skipped', { ...good, fresh: 'skipped' }],
  ])('passes when %s', async (_, outcomes) => {
    expect(await check(outcomes)).toMatchObject({ status: 'passed', findings: [] });
  });

  it.each<[string, Record<string, TestOutcome>, string]>([
    ['a test regresses', { ...good, b: 'failed' }, 'b passed before and is now failed'],
    ['a test breaks', { ...good, b: 'error' }, 'b passed before and is now error'],
    ['a test is gone', { a: 'passed' }, 'b passed before and is now gone'],
    ['a test is skipped', { ...good, b: 'skipped' }, 'b passed before and is now skipped'],
    ['a test is turned into a to-do', { ...good, b: 'todo' }, 'b passed before and is now todo'],
    ['a new test fails', { ...good, fresh: 'failed' }, 'fresh is new and failed'],
    ['a new test breaks', { ...good, fresh: 'error' }, 'fresh is new and error'],
    ['nothing is collected any more', {}, 'a passed before and is now gone'],
  ])('fails when %s', async (_, outcomes, finding) => {
    const result = await check(outcomes);
    expect(result.status).toBe('failed');
    expect(result.findings).toContain(finding);
  });

  it.each<[string, Record<string, TestOutcome>, string]>([
    ['is there under another name', { 'shop/cart.py > shop.cart.total_of': 'passed' }, 'passed'],
    ['is there and fails', { 'shop/cart.py > shop.cart.total_of': 'failed' }, 'failed'],
    ['is gone', {}, 'failed'],
    ['is another test by now', { 'shop/cart.py > test_total': 'passed' }, 'failed'],
  ])('asks for an example whose function was renamed: it %s', async (_, outcomes, status) => {
    const baseline = { passing: ['a', 'shop/cart.py > shop.cart.total'], failing: [] };
    const base = { ...BASE, 'shop/cart.py': 'def total(): ...' };
    const candidate = { ...HEALTHY, 'shop/cart.py': 'def total_of(): ...' };
    const result = await check({ a: 'passed', ...outcomes }, {}, { baseline, base, candidate });
    expect(result.status).toBe(status);
  });

  it('fails when the suite gives no report, even if nothing passed before', async () => {
    const run = { reportProblem: 'the report is empty', outputTail: 'boom' };
    const result = await check({}, run, { baseline: { passing: [], failing: [] } });
    expect(result).toMatchObject({ status: 'failed', findings: ['boom'] });
  });

  it('fails when the runner itself ends badly after a spotless report', async () => {
    expect((await check({ ...good, '(runner)': 'error' })).status).toBe('failed');
  });

  it('is inconclusive when the suite runs out of time', async () => {
    expect((await check(good, { timedOut: true })).status).toBe('inconclusive');
  });

  it('passes when there is no suite: nothing could regress', async () => {
    const policy = { testing: { ...simPolicy.testing, full: null } };
    expect((await check({}, {}, { policy })).status).toBe('passed');
  });

  it('names at most 50 tests and says how many there are', async () => {
    const passing = Array.from({ length: 80 }, (_, i) => `t${i}`);
    const result = await check({}, {}, { baseline: { passing, failing: [] } });
    expect(result.findings).toHaveLength(50);
    expect(result.summary).toBe('80 tests got worse');
  });

  it('tells the agent what a test said', async () => {
    const results = [{ id: 'b', outcome: 'failed' as const, message: 'expected 1, got 2' }];
    const result = await check({}, { results });
    expect(result.findings).toContain('b passed before and is now failed — expected 1, got 2');
  });
});

describe('a short suite that uses what was changed', () => {
  const OTHER = 'test/other.mjs';
  const SOURCE = 'src/tool.mjs';

  /** How often the suite is run on the candidate when a test's text is this. */
  async function countRuns(text: string, runner: 'node' | 'command') {
    const base = { ...BASE, [SOURCE]: 'export const a = 1;\n', [OTHER]: text };
    const { ctx, ran } = await createCheckContext({
      base,
      candidate: { ...base, 'src/1': 'good', [SOURCE]: 'export const a = 2;\n' },
      baseline: { passing: runner === 'node' ? [`${OTHER} > a`] : [], failing: [] },
      policy: { testing: { ...simPolicy.testing, runner } },
      answer: ({ command }) =>
        command === 'test'
          ? { results: [{ id: `${OTHER} > a`, outcome: 'passed' }], opened: [SOURCE, OTHER] }
          : {},
    });
    expect((await passToPass(ctx)).status).toBe('passed');
    return ran.filter(run => run === 'test @ pristine-2').length;
  }

  it.each<['node' | 'command', string, string, number]>([
    ['node', 'a test imports', "import { a } from '../src/tool.mjs';", 1],
    ['node', 'no test imports', 'start(readList());', 7],
    ['node', 'a build makes of it', "import { a } from '../dist/tool.mjs';", 1],
    // Which files are tests is not known there: those beside the task's own are taken for tests.
    ['command', 'a file beside the own test imports', "import { a } from '../src/tool.mjs';", 1],
    ['command', 'nobody imports', 'start(readList());', 7],
  ])('with %s: what %s', async (runner, _, text, runs) => {
    expect(await countRuns(text, runner)).toBe(runs);
  });
});
