import { expect, it } from 'vitest';
import { makeRun, makeStatementInput } from '../../../test/support/proofs.ts';
import { getSha256 } from '../../adapters/process/hasher.ts';
import type { TestOutcome } from '../model/testing.ts';
import { compareStatements } from './compare-statements.ts';
import { getStatement, type StatementInput } from './proof.ts';

const make = (rest: Partial<StatementInput> = {}) => getStatement(makeStatementInput(rest), getSha256);
const suite = (...outcomes: TestOutcome[]) => ({
  runs: outcomes.map(outcome => makeRun('suite, base', [{ id: 'x', outcome }])),
});

it('calls equal statements the same', () => {
  expect(compareStatements(make(), make())).toEqual({ result: 'same', differences: [] });
});

it.each<[string, Partial<StatementInput>, string]>([
  ['a tree', { tree: 'e'.repeat(40) }, 'candidate.tree: '],
  ['settings', { config: { path: 'x', sha256: '0' } }, 'config: none was recorded, now it is nothing'],
  ['a test', suite('failed'), 'test before, x: nothing was recorded, now it is failed'],
  ['a file', { blobs: {} }, 'files.tests.test/1: '],
])('names %s that is another', (_, rest, line) => {
  const { result, differences } = compareStatements(make(), make(rest));
  expect(result).toBe('different');
  expect(differences.join('\n')).toContain(line);
});

it('takes no flaky test for a difference, and nothing else for one', () => {
  const flaky = make(suite('passed', 'failed'));
  expect(compareStatements(flaky, make(suite('passed'))).result).toBe('same-but-flaky');
  expect(compareStatements(make(suite('failed')), flaky).result).toBe('same-but-flaky');
  const both = { ...suite('passed', 'failed'), tree: 'e'.repeat(40) };
  expect(compareStatements(make(both), make(suite('passed')))).toMatchObject({
    result: 'different',
    differences: [expect.stringContaining('candidate.tree')],
  });
});
