import { describe, expect, it } from 'vitest';
import type { TestOutcome, TestResult } from '../model/testing.ts';
import { getCanarySigns } from './canary.ts';

const results = (outcomes: Readonly<Record<string, TestOutcome>>): readonly TestResult[] =>
  Object.entries(outcomes).map(([id, outcome]) => ({ id, outcome }));

const altered = (names: readonly string[], isSure = true) => ({
  nonceNames: ['q7 1', 'q7 2'],
  tests: [{ names, isSure }],
});
const NONCES = { 'a.test.js > q7 1': 'failed', 'a.test.js > q7 2': 'error' } as const;

describe('getCanarySigns', () => {
  it('finds nothing where all that must fail does', () => {
    const before = results({ 'a.test.js > s > x': 'passed' });
    const after = results({ 'a.test.js > s > x': 'failed', ...NONCES });
    expect(getCanarySigns(before, after, altered(['s', 'x']))).toEqual({
      passed: [],
      missing: [],
      sure: ['a.test.js > s > x'],
      survived: [],
    });
  });

  it.each<[string, Readonly<Record<string, TestOutcome>>, object]>([
    ['passed', { ...NONCES, 'a.test.js > q7 1': 'passed' }, { passed: ['q7 1'], missing: ['q7 1'] }],
    ['was skipped', { ...NONCES, 'a.test.js > q7 1': 'skipped' }, { passed: [], missing: ['q7 1'] }],
    ['is not there', { 'a.test.js > q7 2': 'failed' }, { missing: ['q7 1'] }],
  ])('says when a test that must fail %s', (_, after, signs) => {
    expect(getCanarySigns([], results(after), altered([]))).toMatchObject(signs);
  });

  it.each<[string, readonly string[], string]>([
    ['nested suites', ['s', 'x'], 'a.test.js > s > x'],
    ['mocha’s joined suites', ['s', 't', 'x'], 'a.test.js > s t > x'],
    ['pytest’s parameters', ['test_x'], 'test_a.py > test_x[1-2]'],
    ['pytest’s classes', ['TestA', 'test_x'], 'test_a.py > TestA > test_x'],
  ])('knows a test that survived by %s', (_, names, id) => {
    const same = results({ [id]: 'passed' });
    expect(getCanarySigns(same, same, altered(names)).survived).toEqual([id]);
  });

  it('judges no test that it cannot tell from another, none that was not sure, none that was red', () => {
    const twice = results({ 'a.test.js > x': 'passed', 'a.test.js > x (2)': 'passed' });
    expect(getCanarySigns(twice, twice, altered(['x'])).sure).toEqual([]);
    const one = results({ 'a.test.js > x': 'passed', 'a.test.js > never x': 'passed' });
    expect(getCanarySigns(one, one, altered(['x'], false)).sure).toEqual([]);
    expect(getCanarySigns(one, one, altered(['x'])).sure).toEqual(['a.test.js > x']);
    expect(getCanarySigns(results({ 'a.test.js > x': 'failed' }), one, altered(['x'])).sure).toEqual([]);
  });
});
