import { expect, it } from 'vitest';
import type { TestOutcome } from '../model/testing.ts';
import { getRedReason, type RedKind } from './red-reason.ts';

const ADDED = ['src/sum.ts', 'shop/tax.py', 'shop/__init__.py', 'packages/money/src/index.ts'];

it.each<[RedKind, TestOutcome, string]>([
  ['assertion', 'failed', 'AssertionError: expected 1 to be 2 // Object.is equality'],
  ['assertion', 'failed', 'expect(received).toBe(expected)\n\nExpected: 2\nReceived: 1'],
  ['assertion', 'failed', 'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n1 !== 2'],
  ['assertion', 'failed', '    def test_sum():\n>       assert total(1) == 2\nE       assert 1 == 2'],
  ['assertion', 'failed', "thread 'it' panicked at tests/it.rs:3:5"],
  ['assertion', 'failed', 'sum_test.go:5: got 1, want 2'],
  ['assertion', 'failed', ''],
  ['assertion', 'failed', 'Error: not implemented'],
  ['error', 'error', 'Error: not implemented'],
  ['missing-own', 'error', 'Error: Failed to resolve import "./sum.ts" from "src/sum.test.ts"'],
  ['missing-own', 'error', "Error: Cannot find module '../src/sum' imported from test/sum.test.js"],
  ['missing-own', 'error', "Cannot find module '@/sum' from 'test/sum.test.ts'"],
  ['missing-own', 'error', "Cannot find package '@acme/money' imported from test/a.test.js"],
  ['missing-own', 'error', "ModuleNotFoundError: No module named 'shop.tax'"],
  ['missing-own', 'error', "ModuleNotFoundError: No module named 'shop'"],
  ['missing-own', 'error', "ImportError: cannot import name 'tax' from 'shop'"],
  ['missing-own', 'error', "SyntaxError: The requested module './a.js' does not provide an export named 'b'"],
  ['missing-own', 'failed', 'TypeError: sum is not a function'],
  ['missing-own', 'failed', 'TypeError: (0 , _sum.default) is not a function'],
  ['missing-own', 'failed', "AttributeError: module 'shop' has no attribute 'tax'"],
  ['missing-own', 'error', './sum_test.go:6:10: undefined: Sum'],
  ['missing-own', 'error', 'error[E0432]: unresolved import `shop::tax`'],
  ['missing-own', 'error', 'error[E0425]: cannot find function `tax` in this scope'],
  ['missing-own', 'failed', "Error: ENOENT: no such file or directory, open 'data.json'"],
  ['dependency', 'error', "Error: Cannot find package 'left-pad' imported from test/sum.test.js"],
  ['dependency', 'error', 'Failed to resolve import "lodash" from "test/sum.test.ts"'],
  ['dependency', 'error', "ModuleNotFoundError: No module named 'requests'"],
  ['dependency', 'error', 'sum_test.go:4:2: no required module provides package github.com/x/y; to add it'],
  ['dependency', 'error', "error[E0463]: can't find crate for `serde`"],
  ['syntax', 'error', 'SyntaxError: Unexpected end of input'],
  ['syntax', 'error', 'Error: Transform failed with 1 error:\nsum.test.ts:3:1: ERROR: Unexpected "}"'],
  ['syntax', 'error', "  File 'test_sum.py', line 3\nIndentationError: unexpected indent"],
  ['syntax', 'error', 'Jest encountered an unexpected token'],
  ['assertion', 'failed', 'SyntaxError: Unexpected token } in JSON at position 3'],
  ['error', 'error', 'SyntaxError: Unexpected token } in JSON at position 3'],
  ['time-out', 'failed', 'Error: Test timed out in 5000ms.\nIf this is a long-running test'],
  ['time-out', 'failed', 'thrown: "Exceeded timeout of 5000 ms for a test.'],
  ['time-out', 'failed', 'Error: Timeout of 2000ms exceeded. For async tests'],
  ['time-out', 'failed', 'test timed out after 100ms'],
  ['time-out', 'failed', 'panic: test timed out after 10m0s'],
  ['assertion', 'failed', "AssertionError: expected 'request timed out' to be 'ok'"],
  ['collection', 'error', 'Error: No test suite found in file src/a.test.ts'],
  ['collection', 'error', 'Your test suite must contain at least one test.'],
  ['collection', 'error', "E       fixture 'db' not found"],
  ['collection', 'error', 'the runner ended with exit code 1 although no test failed'],
])('%s: %s by %j', (kind, outcome, message) => {
  const reason = getRedReason({ id: 't', outcome, message }, ADDED);
  expect(reason.kind).toBe(kind);
  expect(reason.isHonest).toBe(['assertion', 'missing-own', 'error'].includes(kind));
});

it('quotes the line that says so', () => {
  const message = 'first\n  Error: Test timed out in 5000ms.  \nlast';
  expect(getRedReason({ id: 't', outcome: 'failed', message }, []).line).toBe(
    'Error: Test timed out in 5000ms.',
  );
});

it('reads no line of packed code that the runner shows', () => {
  const code = `var a="Cannot find module '"+e+"'";`.repeat(40);
  const message = `/app/node_modules/esm/esm.js:1\n${code}\nError: Cannot find module '../src/sum.js'`;
  expect(getRedReason({ id: 't', outcome: 'failed', message }, ['src/sum.js'])).toMatchObject({
    kind: 'missing-own',
    isHonest: true,
  });
});
