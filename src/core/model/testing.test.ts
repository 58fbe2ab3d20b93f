import { describe, expect, it } from 'vitest';
import { getBaseline, isExample, type TestOutcome } from './testing.ts';

describe('getBaseline', () => {
  it('remembers what passes and what fails, and nothing of what did not run', () => {
    const outcomes: TestOutcome[] = ['passed', 'failed', 'error', 'skipped', 'todo'];
    const results = outcomes.map(outcome => ({ id: `is ${outcome}`, outcome }));
    const run = { command: 'npm test', exitCode: 1, timedOut: false, results, outputTail: '', durationMs: 1 };
    expect(getBaseline('tree', run)).toEqual({
      tree: 'tree',
      passing: ['is passed'],
      failing: ['is failed', 'is error'],
    });
  });
});

it.each([
  ['src/till/tax.py > till.tax.get_tax', true],
  ['src/till/tax.py > till.tax', true],
  ['tests/test_tax.py > test_tax', false],
  ['tests/test_tax.py > TestTax > test_tax', false],
  ['till/tax.py > taxes.get_tax', false],
  ['src/tax.ts > src.tax', false],
])('of %s it is known whether it is an example in a module: %s', (id, expected) => {
  expect(isExample(id)).toBe(expected);
});
