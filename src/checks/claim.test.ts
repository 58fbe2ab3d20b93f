import { describe, expect, it } from 'vitest';
import { BASE, type CheckCase, createCheckContext } from '../../test/support/check-bench.ts';
import { claim } from './claim.ts';

async function check(given: CheckCase) {
  return claim((await createCheckContext(given)).ctx);
}

describe('the claim', () => {
  it.each<[string, CheckCase]>([
    ['its own task', {}],
    ['nothing in the backlog at all', { claims: [] }],
  ])('passes when it names %s', async (_, given) => {
    expect(await check(given)).toMatchObject({ status: 'passed', findings: [] });
  });

  it.each<[string, CheckCase, string]>([
    ['the backlog was changed', { backlogProblems: ['task 2 was removed'] }, 'task 2 was removed'],
    ['another task was claimed', { claims: ['2'] }, 'task 2 was marked as passing'],
    ['two tasks were claimed', { claims: ['1', '2'] }, '2 tasks were claimed; at most 1 may be'],
    ['nothing was changed', { candidate: BASE }, 'without any change on disk'],
    [
      'nothing but the backlog was changed',
      { candidate: { ...BASE, 'features.json': '{"1":{"passes":true}}' } },
      'without any change on disk',
    ],
  ])('fails when %s', async (_, given, finding) => {
    const result = await check(given);
    expect(result.status).toBe('failed');
    expect(result.findings.join('\n')).toContain(finding);
  });
});
