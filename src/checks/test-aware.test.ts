import { describe, expect, it } from 'vitest';
import { BASE, type CheckCase, createCheckContext, HEALTHY } from '../../test/support/check-bench.ts';
import type { TestRun } from '../core/testing.ts';
import { getVerdict } from '../core/verdict.ts';
import type { TestRequest } from '../ports.ts';
import { runChecks } from './run-checks.ts';
import { testAware } from './test-aware.ts';

async function check(given: CheckCase) {
  return testAware((await createCheckContext(given)).ctx);
}

const SLY = 'export const sum = () => process.env.VITEST ? 3 : 0;\n';
const HONEST = 'export const sum = (a, b) => a + b;\n';

describe('test-aware', () => {
  it('refuses new product code that asks whether it is under test, and names the line', async () => {
    const result = await check({ candidate: { ...HEALTHY, 'lib/sum.js': `${HONEST}${SLY}` } });
    expect(result.status).toBe('failed');
    expect(result.findings[0]).toBe(`lib/sum.js:2 asks whether it is under test: ${SLY.trim()}`);
  });

  it.each<[string, CheckCase]>([
    ['honest code', { candidate: { ...HEALTHY, 'lib/sum.js': HONEST } }],
    ['a test that imports its runner', { candidate: { ...HEALTHY, 'test/more.js': "import 'vitest';" } }],
    [
      'what was there before',
      {
        base: { ...BASE, 'lib/sum.js': SLY },
        candidate: { ...HEALTHY, 'lib/sum.js': `${SLY}${HONEST}` },
      },
    ],
    [
      'what was there under another name',
      { base: { ...BASE, 'lib/sum.js': SLY }, candidate: { ...HEALTHY, 'lib/total.js': `${SLY}${HONEST}` } },
    ],
    ['data', { candidate: { ...HEALTHY, 'lib/sum.bin.js': `\0${SLY}` } }],
  ])('has nothing against %s', async (_, given) => {
    expect(await check(given)).toMatchObject({ status: 'passed', findings: [] });
  });

  it('only tells where honest code says the same', async () => {
    const mild = "export const quiet = process.env.NODE_ENV === 'test';\n";
    expect(await check({ candidate: { ...HEALTHY, 'lib/log.js': mild } })).toMatchObject({
      status: 'warned',
    });
  });

  it('warns or is silent where the project says so', async () => {
    const candidate = { ...HEALTHY, 'lib/sum.js': SLY };
    expect((await check({ candidate, policy: { testAware: 'warn' } })).status).toBe('warned');
    expect((await check({ candidate, policy: { testAware: 'off' } })).status).toBe('skipped');
  });

  it.each([
    ['CI', 'unset CI; test test/1'],
    ['NODE_ENV', 'export NODE_ENV=development; test test/1'],
  ])('runs the tests where %s says something else when new code reads it', async (name, command) => {
    const candidate = {
      ...HEALTHY,
      'lib/sum.js': `export const sum = () => (process.env.${name} ? 3 : 0);\n`,
    };
    const answer =
      (works: boolean) =>
      (request: TestRequest): Partial<TestRun> => ({
        results: [
          { id: 'test/1', outcome: works || !/^(unset|export) /.test(request.command) ? 'passed' : 'failed' },
        ],
      });
    const { ctx, ran } = await createCheckContext({ candidate, answer: answer(true) });
    expect(['passed', 'warned']).toContain((await testAware(ctx)).status);
    expect(ran.map(line => line.split(' @ ')[0])).toEqual(['test test/1', command]);
    expect(await check({ candidate, answer: answer(false) })).toMatchObject({
      status: 'needs-human',
      summary: `the tests pass only where ${name} says that they are tests`,
    });
  });

  it('is what keeps such code from landing', async () => {
    const { ctx } = await createCheckContext({ candidate: { ...HEALTHY, 'lib/sum.js': SLY } });
    expect(getVerdict(await runChecks(ctx))).toMatchObject({ word: 'rejected', decidedBy: 'test-aware' });
    const without = new Set(['test-aware'] as const);
    expect(getVerdict(await runChecks({ ...ctx, without })).word).toBe('proven');
  });
});
