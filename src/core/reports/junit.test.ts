import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseJunit } from './junit.ts';

const parse = (text: string) => parseJunit(text, ['/tree']);
const getLines = (text: string) => parse(text).results.map(({ outcome, id }) => `${outcome} ${id}`);

it.each<[string, string, string[]]>([
  ['no suites', '<testsuites/>', []],
  ['a suite at the top', '<testsuite name="s"><testcase name="a"/></testsuite>', ['passed s > a']],
  [
    'nextest',
    '<testsuites name="nextest-run"><testsuite name="demo"><testcase name="tests::adds" classname="demo" time="0.01"/>' +
      '<testcase name="tests::fails" classname="demo"><failure type="test failure with exit code 101"/></testcase></testsuite></testsuites>',
    ['passed demo > tests::adds', 'failed demo > tests::fails'],
  ],
  [
    'suites inside suites, with a file above',
    '<testsuites><testsuite name="A" file="/tree/a.js"><testsuite name="B"><testcase name="c"/></testsuite></testsuite></testsuites>',
    ['passed a.js > A > B > c'],
  ],
  [
    'a suite that failed as a whole',
    '<testsuite name="s" file="/tree/a.js"><error message="no setup">trace</error><testcase name="a"/></testsuite>',
    ['error a.js', 'passed a.js > s > a'],
  ],
  [
    'a flaky test that passed in the end, and one that was run again in vain',
    '<testsuite name="s"><testcase name="a" classname="k"><flakyFailure/></testcase>' +
      '<testcase name="b" classname="k"><failure/><rerunFailure/></testcase></testsuite>',
    ['passed k > a', 'failed k > b'],
  ],
  [
    'skipped, to do, and failed in spite of it',
    '<testsuite name="s"><testcase name="a"><skipped/></testcase><testcase name="b"><skipped type="todo"/></testcase>' +
      '<testcase name="c"><failure/><skipped/></testcase></testsuite>',
    ['skipped s > a', 'todo s > b', 'failed s > c'],
  ],
  [
    'one name twice',
    '<testsuite name="s"><testcase name="a"/><testcase name="a"/><testcase name="a (2)"/></testsuite>',
    ['passed s > a', 'passed s > a (2)', 'passed s > a (2) (2)'],
  ],
])('reads %s', (_, text, expected) => {
  expect(parse(text).problem).toBeUndefined();
  expect(getLines(text)).toEqual(expected);
});

it('survives what XML forbids, and decodes what it allows', () => {
  const esc = String.fromCharCode(27);
  const text = `\uFEFF\n<?xml version="1.0"?><testsuite name="s"><testcase name="a &lt; b &amp;&#x1b; &#233;">
    <failure message="x${esc}[31mred&#x1b;[0m\u0000&#0;">1 &gt; 0 <![CDATA[<b> & ]]>\uD800 end</failure></testcase></testsuite>`;
  expect(parse(text).results).toEqual([
    { id: 's > a < b & é', outcome: 'failed', message: 'xred\n1 > 0 <b> &  end' },
  ]);
});

it('does not expand entities of its own making', () => {
  const text = '<!DOCTYPE a [<!ENTITY x "boom">]><testsuite name="s"><testcase name="&x;"/></testsuite>';
  expect(parse(text)).toEqual({ results: [], problem: expect.stringContaining('not XML') });
});

it('reads what node 24 prints: a file that failed is an error, a file without tests is nothing', () => {
  const sample = new URL('../../../test/fixtures/reports/node24-junit.xml', import.meta.url);
  const lines = getLines(readFileSync(sample, 'utf8'));
  expect(lines).toContain('error nt/crash.test.mjs');
  expect(lines).toContain('passed nt/math.test.mjs > math > adds');
  expect(lines.filter(line => line.includes('quiet'))).toEqual([]);
});
