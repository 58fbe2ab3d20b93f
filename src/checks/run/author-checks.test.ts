import { expect, it } from 'vitest';
import { BASE, type CheckCase, createCheckContext } from '../../../test/support/check-bench.ts';
import { runAuthorChecks } from './author-checks.ts';

const { 'test/1': _, ...WITHOUT_TEST } = BASE;
const WRITTEN = { ...WITHOUT_TEST, 'test/1': 'assert 1' };

async function judge(given: CheckCase) {
  const { ctx } = await createCheckContext({ base: WITHOUT_TEST, candidate: WRITTEN, claims: [], ...given });
  const results = await runAuthorChecks(ctx);
  return results.at(-1);
}

const red = (message: string, outcome: 'failed' | 'error' = 'failed') => ({
  answer: () => ({ results: [{ id: 'test/1 > works', outcome, message }] }),
});

it('accepts a new test that fails because nobody has done the task', async () => {
  expect(await judge(red('expected 3 to be 4'))).toMatchObject({ check: 'fail-to-pass', status: 'passed' });
  expect(await judge(red("Cannot find module '../src/1.js'", 'error'))).toMatchObject({ status: 'passed' });
  expect(await judge({ candidate: { ...WRITTEN, 'test/helper': 'h' }, ...red('no') })).toMatchObject({
    status: 'passed',
  });
});

it.each<[string, CheckCase, string]>([
  ['passes already', { answer: () => ({ results: [{ id: 'a', outcome: 'passed' }] }) }, 'fail-to-pass'],
  ['holds no test', { answer: () => ({ results: [] }) }, 'fail-to-pass'],
  ['never ends', { answer: () => ({ timedOut: true }) }, 'fail-to-pass'],
  ['is skipped', { answer: () => ({ results: [{ id: 'a', outcome: 'skipped' }] }) }, 'fail-to-pass'],
  ['cannot be read', red('SyntaxError: Unexpected token', 'error'), 'fail-to-pass'],
  ['lacks a package', red("Cannot find package 'left-pad'", 'error'), 'fail-to-pass'],
  ['is not there', { candidate: { ...WITHOUT_TEST, 'test/other': 'x' } }, 'fail-to-pass'],
  ['comes with source', { candidate: { ...WRITTEN, 'src/1': 'good' } }, 'protected'],
  [
    'comes with a change of an older test',
    { candidate: { ...WRITTEN, 'test/old': 'weakened' } },
    'protected',
  ],
  [
    'comes with a change of the scripts',
    { candidate: { ...WRITTEN, 'package.json': '{"x":1}' } },
    'protected',
  ],
  ['is a link', { modes: { 'test/1': '120000' } }, 'protected'],
  ['does not exist at all', { candidate: WITHOUT_TEST }, 'claim'],
])('refuses a test that %s', async (_name, given, check) => {
  const result = await judge(given);
  expect(result).toMatchObject({ check, status: 'failed' });
  expect(result?.findings.length).toBeGreaterThan(0);
});
