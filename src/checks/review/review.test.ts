import { expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { BASE, createCheckContext, HEALTHY } from '../../../test/support/check-bench.ts';
import { CLEAN, found } from '../../../test/support/review-answers.ts';
import type { Policy } from '../../core/model/policy.ts';
import { NO_USAGE } from '../../core/model/usage.ts';
import type { AgentResult, SessionRequest } from '../../ports/index.ts';
import type { CheckContext } from '../shared/context.ts';
import { review } from './review.ts';

const { 'test/1': _, ...WITHOUT_TEST } = BASE;
const USAGE = { ...NO_USAGE, costUsd: 0.2 };

async function judge(
  answer: Partial<AgentResult>,
  policy: Partial<Policy> = {},
  attempt: Partial<CheckContext['attempt']> = {},
) {
  const asked: SessionRequest[] = [];
  const { ctx, git } = await createCheckContext({
    base: WITHOUT_TEST,
    candidate: { ...HEALTHY, 'test/1': 'assert 1 // say nothing of this' },
    task: { verificationSteps: ['it is one'] },
    policy: { testsBy: 'coder', ...policy },
    agent: async request => {
      asked.push(request);
      return { outcome: 'claimed', summary: 'said', usage: USAGE, ...answer };
    },
  });
  return { result: await review({ ...ctx, attempt: { ...ctx.attempt, ...attempt } }), asked, git };
}

it('lets a test pass in which the reviewer finds nothing, and says what that cost', async () => {
  const { result, asked } = await judge({ structured: CLEAN });
  expect(result).toMatchObject({ status: 'passed', usage: USAGE });
  expect(asked[0]).toMatchObject({ mode: 'complete', role: 'review' });
  expect(asked[0]?.prompt).toMatch(/- it is one[\s\S]*assert 1/);
});

it('works in a tree of the base, with the candidate beside it', async () => {
  const { git, asked } = await judge({});
  const [request] = asked;
  const read = (dir: string | undefined) => git.filesIn(dir ?? '');
  expect(read(request?.cwd)['test/1']).toBeUndefined();
  expect(read(request?.candidateDir)['test/1']).toContain('assert 1');
});

it('turns what nobody refutes into findings for the coder', async () => {
  const { result } = await judge({ structured: found({ claim: 'test the second step' }) });
  expect(result).toMatchObject({ status: 'failed', findings: ['medium: test the second step'] });
});

it.each<Partial<AgentResult>>([
  {},
  { structured: 'approve' },
  { structured: { verdict: 'approve' } },
  { structured: { findings: 'none' } },
  { outcome: 'crashed', structured: CLEAN },
  { outcome: 'timeout' },
])('asks a person when the reviewer gives no answer: %o', async answer => {
  expect((await judge(answer)).result).toMatchObject({ status: 'needs-human' });
});

it('asks wherever the coder wrote the test, also where approved ones are the rule and none was there', async () => {
  const reject = { structured: found({ claim: 'another rule than the task’s' }) };
  for (const testsBy of ['coder', 'approved'] as const)
    expect((await judge(reject, { testsBy })).result).toMatchObject({ status: 'failed' });
});

it('asks nobody where the test is not the coder’s, unless it is always wanted', async () => {
  const nothing = { structured: CLEAN };
  const tests = { 'test/1': 'written before' };
  const nobody = { result: { status: 'skipped' }, asked: [] };
  expect(await judge(nothing, { review: 'off' })).toMatchObject(nobody);
  expect(await judge(nothing, { testsBy: 'separate-author' }, { tests })).toMatchObject(nobody);
  const always = await judge(nothing, { testsBy: 'separate-author', review: 'always' }, { tests });
  expect(always.result.status).toBe('passed');
  expect(simPolicy.review).toBe('auto');
});
