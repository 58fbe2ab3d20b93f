import { describe, expect, it } from 'vitest';
import { getBaseline, type TestOutcome } from './testing.ts';

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
