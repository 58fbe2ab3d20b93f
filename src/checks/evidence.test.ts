import { expect, it } from 'vitest';
import { createCheckContext } from '../../test/support/check-bench.ts';
import type { Evidence } from '../core/model/facts.ts';
import { evidence } from './evidence.ts';

const SHOWN: Evidence = {
  isReported: true,
  testRunAfterLastEdit: true,
  lastEdit: null,
  commands: ['test test/1'],
};

async function judge(shown: Evidence | null, requireEvidence = true) {
  const { ctx } = await createCheckContext({ policy: { requireEvidence } });
  return evidence({ ...ctx, attempt: { agent: { evidence: shown } } });
}

it('passes when the tests were seen running after the last edit', async () => {
  expect(await judge(SHOWN)).toMatchObject({ status: 'passed' });
});

it('fails, and says what to run, when they were not', async () => {
  const shown = { ...SHOWN, testRunAfterLastEdit: false, lastEdit: 'src/1', commands: [] };
  const result = await judge(shown);
  expect(result).toMatchObject({ status: 'failed', summary: expect.stringContaining('src/1') });
  expect(result.findings[0]).toContain('run test test/1');
});

it('asks nothing of agents that cannot show it, of a proof without a session, and where it is not wanted', async () => {
  const unseen = { ...SHOWN, testRunAfterLastEdit: false };
  expect(await judge({ ...unseen, isReported: false })).toMatchObject({ status: 'skipped' });
  expect(await judge(null)).toMatchObject({ status: 'skipped' });
  expect(await judge(unseen, false)).toMatchObject({ status: 'skipped' });
});

it.each([
  ['tests of others fail on the base too', ['test/2 > b'], 'passed'],
  ['only its own test failed there', ['test/1 > a'], 'failed'],
  ['nothing failed there', [], 'failed'],
])('a whole suite that is red is enough when %s', async (_, failing, status) => {
  const { ctx } = await createCheckContext({ policy: { requireEvidence: true } });
  const shown: Evidence = { ...SHOWN, testRunAfterLastEdit: false, lastEdit: 'src/1', othersRed: true };
  const baseline = { ...ctx.baseline, failing };
  const task = { ...ctx.task, testFile: 'test/1' };
  expect(await evidence({ ...ctx, task, baseline, attempt: { agent: { evidence: shown } } })).toMatchObject({
    status,
  });
});
