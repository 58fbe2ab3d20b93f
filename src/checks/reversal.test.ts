import { describe, expect, it } from 'vitest';
import type { Files } from '../../test/support/bench.ts';
import { BASE, type CheckCase, createCheckContext, HEALTHY } from '../../test/support/check-bench.ts';
import type { TestResult } from '../core/model/testing.ts';
import { getVerdict } from '../core/model/verdict.ts';
import { reversal } from './reversal.ts';
import { runChecks } from './run/run-checks.ts';

async function check(given: CheckCase) {
  const bench = await createCheckContext(given);
  return { ...(await reversal(bench.ctx)), ran: bench.ran };
}

const noTest: Files = Object.fromEntries(Object.entries(BASE).filter(([path]) => path !== 'test/1'));

/** Without the change, the test gives this. */
function onBase(results: readonly TestResult[], more: object = {}): CheckCase {
  return {
    base: noTest,
    candidate: HEALTHY,
    answer: (_, files) => (files['src/1'] ? undefined : { results, exitCode: 1, ...more }),
  };
}

const red = (message: string, outcome: 'failed' | 'error' = 'error') => [{ id: 'test/1', outcome, message }];

describe('reversal', () => {
  it.each<[string, CheckCase]>([
    ['an approved test that fails on the base', {}],
    ['a new test that fails on the base', { base: noTest, candidate: HEALTHY }],
    ['a missing module of ours', onBase(red("Cannot find module './sum.js'"))],
    ['a missing export', onBase(red("SyntaxError: './sum.js' does not provide an export named 'sum'"))],
    ['an assertion', onBase(red('AssertionError: expected 0 to be 3', 'failed'))],
    [
      'a runner that ends without a report for want of our module',
      onBase([], { reportProblem: 'no report', outputTail: "Error: Cannot find module '../src/sum'" }),
    ],
    [
      'one honest failure among others',
      onBase([...red('Test timed out in 5000ms', 'failed'), { id: 'test/2', outcome: 'failed' }]),
    ],
  ])('is content with %s', async (_, given) => {
    const { answer } = given;
    const both: CheckCase['answer'] = (request, files) =>
      answer?.(request, files) ?? {
        results: ['test/1', 'test/2'].map(id => ({
          id,
          outcome: files['src/1'] === 'good' ? ('passed' as const) : ('failed' as const),
        })),
      };
    expect(await check({ ...given, answer: both })).toMatchObject({ status: 'passed', findings: [] });
  });

  it.each<[string, CheckCase, string]>([
    ['a missing package', onBase(red("Cannot find package 'left-pad'")), 'a package is missing'],
    ['a time-out', onBase(red('Test timed out in 5000ms.', 'failed')), 'its time ran out'],
    ['a syntax error', onBase(red('SyntaxError: Unexpected end of input')), 'cannot be parsed'],
    ['nothing collected', onBase([], { reportProblem: 'no tests were collected' }), 'no test was found'],
  ])('refuses a test of the agent’s own that is red for %s', async (_, given, words) => {
    const result = await check(given);
    expect(result.status).toBe('failed');
    expect(result.findings.join()).toContain(words);
  });

  it('is inconclusive where nothing is heard of the tests, and nothing says why', async () => {
    const given = onBase([], {
      reportProblem: 'the command left no report (exit 137)',
      outputTail: 'Killed',
    });
    expect(await check(given)).toMatchObject({ status: 'inconclusive' });
  });

  it('asks a person about an approved test that is red for no honest reason', async () => {
    const { answer } = onBase(red("Cannot find package 'left-pad' imported from /tmp/test/1.js", 'error'));
    expect(await check({ ...(answer ? { answer } : {}) })).toMatchObject({ status: 'needs-human' });
  });

  it('takes an approved test that waits in vain without the change for red', async () => {
    const { answer } = onBase(red('Test timed out in 5000ms.', 'failed'));
    expect(await check({ ...(answer ? { answer } : {}) })).toMatchObject({ status: 'passed' });
  });

  it('refuses a new test that passes without the change', async () => {
    const given = {
      base: { ...noTest, 'src/1': 'good' },
      candidate: { ...HEALTHY, 'src/1': 'good', 'src/2': 'new' },
    };
    const result = await check(given);
    expect(result).toMatchObject({ status: 'failed', summary: expect.stringContaining('prove nothing') });
    expect(result.findings).toEqual(['make test/1 fail on the code as it was']);
  });

  it('takes every test of the candidate to the base, and nothing else of it', async () => {
    const seen: Files[] = [];
    const answer: CheckCase['answer'] = (_, files) => void seen.push(files);
    const candidate = { ...HEALTHY, 'test/more': 'assert more', 'src/more': 'good' };
    await check({ base: noTest, candidate, answer });
    expect(seen.at(0)).toEqual(candidate);
    expect(seen.at(-1)).toEqual({ ...noTest, 'test/1': 'assert 1', 'test/more': 'assert more' });
  });

  it('is not taken in by a test that looks whether its task is marked as done', async () => {
    const done = '{"1":{"passes":true,"dependsOn":[],"priority":0}}';
    const answer: CheckCase['answer'] = (_, files) => ({
      results: [{ id: 'test/1', outcome: files['features.json'] === done ? 'passed' : 'failed' }],
    });
    const result = await check({ base: noTest, candidate: { ...HEALTHY, 'features.json': done }, answer });
    expect(result).toMatchObject({ status: 'failed', summary: expect.stringContaining('prove nothing') });
  });

  it('runs nothing again that fail-to-pass has run', async () => {
    const { ctx, ran } = await createCheckContext({ policy: { reruns: 0 } });
    await runChecks(ctx);
    expect(ran.filter(line => line.startsWith('test test/1'))).toHaveLength(2);
  });

  it('says what it could not do', async () => {
    expect((await check({ task: { testFile: null } })).status).toBe('skipped');
    const late = { timedOut: true, exitCode: null };
    expect((await check(onBase([], late))).status).toBe('inconclusive');
    expect((await check({ ...onBase([], late), base: BASE })).summary).toContain(
      'comes to no end without the change',
    );
  });

  it('is what keeps a vacuous new test from landing', async () => {
    const { ctx } = await createCheckContext({
      base: { ...noTest, 'src/1': 'good' },
      candidate: { ...HEALTHY, 'src/2': 'new' },
      policy: { review: 'off' },
    });
    expect(getVerdict(await runChecks(ctx))).toMatchObject({ word: 'rejected', decidedBy: 'reversal' });
    const without = new Set(['reversal'] as const);
    expect(getVerdict(await runChecks({ ...ctx, without })).word).toBe('proven');
  });
});
