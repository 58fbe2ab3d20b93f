import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseTap } from './tap.ts';

const getLines = (text: string) =>
  parseTap(text, ['/tree']).results.map(({ outcome, id }) => `${outcome} ${id}`);
const readSample = (name: string) =>
  readFileSync(new URL(`../../../test/fixtures/reports/${name}`, import.meta.url), 'utf8');

it.each<[string, string, string[]]>([
  ['version 13', 'TAP version 13\n1..2\nok 1 - a\nnot ok 2 b\n', ['passed a', 'failed b']],
  ['no version and no numbers', 'ok\nok - b\n1..2\n', ['passed (unnamed)', 'passed b']],
  [
    'directives',
    '1..4\nok 1 - a # SKIP later\nnot ok 2 - b # TODO\nok 3 - c \\# todo\nok 4 - d # skipped',
    ['skipped a', 'todo b', 'passed c # todo', 'skipped d'],
  ],
  [
    'subtests before their parent',
    '# Subtest: a\n    ok 1 - b\n    not ok 2 - c\n    1..2\nnot ok 1 - a\n1..1\n',
    ['passed a > b', 'failed a > c', 'failed a'],
  ],
  ['subtests in braces', 'ok 1 - a {\n    ok 1 - b\n    1..1\n}\n1..1\n', ['passed a > b', 'passed a']],
  ['fewer tests than planned', '1..3\nok 1 - a\n', ['passed a', 'error (plan)']],
  [
    'fewer subtests than planned',
    '    1..2\n    ok 1 - b\nok 1 - a\n1..1\n',
    ['passed a > b', 'error a > (plan)', 'passed a'],
  ],
  [
    'a file that did not get as far as its tests',
    "1..2\nnot ok 1 - Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/tree/a.js'\nnot ok 2 - b.js exited with a non-zero exit code: 1\n",
    [
      "error Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'a.js'",
      'error b.js exited with a non-zero exit code: 1',
    ],
  ],
  ['no plan at all', 'ok 1 - a\n', ['passed a', 'error (plan)']],
  [
    'a stop half-way',
    '1..3\nok 1 - a\nBail out! the database is gone\n',
    ['passed a', 'error (plan)', 'error Bail out!'],
  ],
  [
    'a subtest without an end',
    '1..1\n    ok 1 - b\n',
    ['passed (unfinished subtest) > b', 'failed (unfinished subtest)'],
  ],
  ['a plan of none', '1..0 # skipped: nothing to do\n', []],
  ['times, which change with every run', 'ok 1 - a # time=12.5ms\n1..1\n', ['passed a']],
  [
    'output between the lines',
    'hello\nok 1 - a\nok then\n1..1\n',
    ['passed a', 'passed then', 'error (plan)'],
  ],
  [
    'a block that holds TAP',
    'not ok 1 - a\n  ---\n  error: |-\n    ok 1 - x\n    ...\n  ...\nok 2 - b\n1..2\n',
    ['failed a', 'passed b'],
  ],
])('reads %s', (_, text, expected) => {
  expect(getLines(text)).toEqual(expected);
});

it('reads what node-tap prints', () => {
  expect(getLines(readSample('node-tap.tap'))).toEqual([
    'passed math > adds',
    'failed math > division > divides',
    'failed math > division',
    'failed math',
    'skipped later',
    'todo some day',
  ]);
});

it('reads what node --test prints: a suite is no test, and neither is a file without any', () => {
  expect(getLines(readSample('node20.tap'))).toEqual([
    'error nt/crash.test.mjs',
    'error nt/exit.test.mjs',
    'passed math > adds',
    'failed math > division > divides # exactly',
    'skipped math > division > by zero',
    'todo math > division > remainders',
    'passed parent > child one',
    'failed parent > child two',
    'failed parent',
    'passed own assertion > child',
    'failed own assertion',
    'passed hooked > works',
    'error hooked',
    'passed adds',
    'passed adds (2)',
    'passed adds (3)',
  ]);
});

it('takes message and time from the block below a test', () => {
  const text =
    "not ok 1 - a\n  ---\n  duration_ms: 1.5\n  error: |-\n    boom\n    twice\n  code: 'X'\n  ...\n1..1\n";
  expect(parseTap(text, []).results).toEqual([
    { id: 'a', outcome: 'failed', message: 'boom\ntwice', durationMs: 1.5 },
  ]);
});

it('names assertions by the comment of their test where a runner gives nothing else', () => {
  const text =
    'TAP version 13\n# adds\nok 1 should be equal\nok 2 should be equal\n# takes away\nnot ok 3 should be equal\n\n1..3\n# tests 3\n';
  expect(parseTap(text, []).results.map(({ id, outcome }) => `${id}: ${outcome}`)).toEqual([
    'adds > should be equal: passed',
    'adds > should be equal (2): passed',
    'takes away > should be equal: failed',
  ]);
});
