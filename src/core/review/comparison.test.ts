import { expect, it } from 'vitest';
import { getComparison } from './comparison.ts';

it.each<[string, string, string | null]>([
  [
    'node',
    'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n3 !== 4\n\n    at x (file:///a.js:1:2)',
    'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n3 !== 4',
  ],
  ['words of the test’s own', 'AssertionError [ERR_ASSERTION]: got 3\n    at x (file:///a.js:1:2)', null],
  [
    'vitest',
    'AssertionError: expected 3 to be 4 // Object.is equality',
    'AssertionError: expected 3 to be 4 // Object.is equality',
  ],
  [
    'jest',
    'expect(received).toBe(expected)\n\nExpected: 4\nReceived: 3',
    'expect(received).toBe(expected)\nExpected: 4\nReceived: 3',
  ],
  ['pytest', 'E   assert 3 == 4', 'E   assert 3 == 4'],
  ['an error that was thrown', 'TypeError: x is undefined', null],
])('reads what was compared: %s', (_, message, comparison) => {
  expect(getComparison(message)).toBe(comparison);
});
