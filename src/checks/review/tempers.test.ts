import { describe, expect, it } from 'vitest';
import { judgeForReal } from '../../../test/support/real-checks.ts';
import { found } from '../../../test/support/review-answers.ts';
import { CHECK_NAMES, type CheckName, type CheckResult } from '../../core/model/check.ts';
import type { Finding } from '../../core/model/finding.ts';
import type { AgentResult, SessionRequest } from '../../ports/index.ts';
import type { CheckContext } from '../shared/context.ts';

const STEPS = ['the total of no items is zero', 'the total counts every item as often as it was ordered'];

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../src/total.js';
test('no items', () => assert.equal(total([]), 0));
test('two items', () => assert.equal(total([{ price: 2, count: 1 }, { price: 3, count: 1 }]), 5));
`;
const GOOD = `export function total(items) {
  let sum = 0;
  for (const { price, count } of items) sum += price * count;
  return sum;
}
`;
const BUGGY = GOOD.replace('price * count', 'price');

const getTest = (...lines: readonly string[]) => ({
  path: 'test/review-total.test.js',
  content: [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { total } from '../src/total.js';",
    ...lines,
    '',
  ].join('\n'),
});
const RED = getTest("test('a count', () => assert.equal(total([{ price: 2, count: 3 }]), 6));");
const ALWAYS_RED = getTest("test('a count', () => { total([]); assert.equal(1, 2, 'got ' + total([])); });");

const REAL: Partial<Finding> = {
  severity: 'high',
  file: 'src/total.js',
  line: 3,
  claim: 'the count is left out',
  quote: 'for (const { price, count } of items) sum +=',
  criterion: STEPS[1] as string,
  test: RED,
};

type Reply = Partial<AgentResult>;
const say = (...findings: readonly Partial<Finding>[]): Reply => ({ structured: found(...findings) });
const words = (said: string): Reply => ({
  outcome: 'crashed',
  failure: { kind: 'malformed', message: 'no JSON', words: said },
});
const reader = (verdict: string, quote = ''): Reply => ({
  structured: { answers: [{ number: 1, verdict, quote }] },
});

/** All that a proof cannot do without, and the review. */
const NEEDED: ReadonlySet<CheckName> = new Set([
  'claim',
  'protected',
  'fail-to-pass',
  'pass-to-pass',
  'review',
]);

/** How a candidate is judged that a reviewer of this temper reads, and a second reader where one is asked. */
async function read(
  source: string,
  reviewer: Reply,
  { second = {}, attempt = {} }: { second?: Reply; attempt?: CheckContext['attempt'] } = {},
) {
  const asked: SessionRequest[] = [];
  const { results, verdict, tree } = await judgeForReal({
    base: { 'package.json': '{ "type": "module" }', 'test/total.test.js': TEST },
    change: { 'src/total.js': source },
    testFile: 'test/total.test.js',
    task: { title: 'Add up what was ordered', verificationSteps: STEPS },
    policy: { review: 'always', requireEvidence: false },
    without: CHECK_NAMES.filter(name => !NEEDED.has(name)),
    attempt,
    review: async request => {
      asked.push(request);
      const reply = request.role === 'second-reader' ? second : reviewer;
      const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0.1 };
      return { outcome: 'claimed', summary: 'said', usage, ...reply };
    },
  });
  const result = results.find(({ check }) => check === 'review') as CheckResult;
  return { word: verdict.word, result, settled: result.found ?? [], asked, tree };
}

describe('a reviewer', () => {
  it('who shows a real bug blocks it: the test is red because of the line', async () => {
    const { word, result, settled } = await read(BUGGY, say(REAL));
    expect(word).toBe('rejected');
    expect(settled).toMatchObject([{ settled: 'blocks', line: 3 }]);
    expect(result.findings?.join()).toMatch(
      /high: src\/total\.js:3: the count is left out[\s\S]*this test is red/,
    );
  });

  it.each<[string, Reply, string]>([
    ['nothing', say(), 'proven'],
    ['only what is low', say({ ...REAL, severity: 'low' }), 'proven'],
    ['what it quotes nowhere', say({ ...REAL, test: null, quote: 'sum = price - count' }), 'proven'],
    ['a file that is not there', say({ ...REAL, test: null, file: 'src/gone.js' }), 'proven'],
    ['what its own green test refutes', say({ ...REAL }), 'proven'],
    ['nothing, in words', words('I looked at all of it.\n\nNo findings.\n'), 'proven'],
  ])('who finds %s lets clean work pass', async (_, reviewer, word) => {
    expect((await read(GOOD, reviewer)).word).toBe(word);
  });

  it('who names the wrong line with the right words is put right, and blocks', async () => {
    const { word, settled } = await read(BUGGY, say({ ...REAL, line: 900 }));
    expect([word, settled[0]?.line]).toEqual(['rejected', 3]);
  });

  it('who brings a test that is always red shows nothing by it: a second reader decides', async () => {
    const finding = say({ ...REAL, test: ALWAYS_RED });
    const refuted = reader('refuted', 'for (const { price, count } of items) sum += price * count;');
    const { word, settled, asked } = await read(GOOD, finding, { second: refuted });
    expect([word, settled[0]?.settled]).toEqual(['proven', 'refuted']);
    expect(asked.map(({ role }) => role)).toEqual(['review', 'second-reader']);
  });

  it.each<[string, Reply]>([
    ['refutes without words that are there', reader('refuted', 'these words stand nowhere')],
    ['is gone', { outcome: 'crashed' }],
    ['cannot tell', reader('unknown')],
    ['agrees', reader('stands')],
  ])('is believed where the second reader %s', async (_, second) => {
    expect((await read(BUGGY, say({ ...REAL, test: null }), { second })).word).toBe('rejected');
  });

  it('who calls something critical and cannot show it puts it before a person', async () => {
    const { word, result } = await read(GOOD, say({ ...REAL, severity: 'critical', test: null }));
    expect([word, result.status]).toEqual(['needs-human', 'needs-human']);
  });

  it('whose expectation is in no step needs a second reader to agree, else a person', async () => {
    const wrong = getTest("test('a list', () => assert.equal(total([{ price: 2, count: 3 }]), 7));");
    const finding = say({ ...REAL, criterion: null, test: wrong });
    expect((await read(GOOD, finding, { second: reader('stands') })).word).toBe('rejected');
    expect((await read(GOOD, finding, { second: reader('unknown') })).word).toBe('needs-human');
  });

  it('whose finding stands in words is not taken back by a line that says there is none', async () => {
    const both = words('Critical: src/total.js leaves the count out.\n\nNo blocking findings.');
    expect((await read(BUGGY, both)).word).toBe('needs-human');
    expect(
      (await read(BUGGY, words('```\nNo findings.\n```\n> No findings.\nNo findings. Except one.'))).word,
    ).toBe('needs-human');
  });

  it.each<[string, Reply]>([
    ['says nothing', words('')],
    ['gives another form', { structured: { verdict: 'approve' } }],
  ])('who %s is asked once more, then a person is', async (_, reviewer) => {
    const { word, asked } = await read(GOOD, reviewer);
    expect([word, asked.length]).toEqual(['needs-human', 2]);
  });
});

describe('a later pass', () => {
  /** As if this very work had been read before, and nothing had been found. */
  async function readAgain(findings: readonly Partial<Finding>[], second: Reply = {}) {
    const { tree } = await read(BUGGY, say());
    const attempt = { reviews: { passes: 1, sentBack: 1, tree, found: [] } };
    return read(BUGGY, say(...findings), { attempt, second });
  }

  it('hears of what could have been said before only where a test shows it: an endless review comes to its end', async () => {
    const late = await readAgain([{ ...REAL, test: null }], reader('stands'));
    expect([late.word, late.settled[0]?.settled, late.asked.length]).toEqual(['proven', 'later', 1]);
    expect((await readAgain([REAL])).word).toBe('rejected');
    expect((await readAgain([{ ...REAL, severity: 'critical', test: null }])).word).toBe('needs-human');
  });

  it('looks again at what a test showed, whether or not the reviewer names it', async () => {
    const { settled: found, tree } = await read(BUGGY, say(REAL));
    const attempt = { reviews: { passes: 1, sentBack: 1, tree, found } };
    expect((await read(BUGGY, say(), { attempt })).word).toBe('rejected');
    expect((await read(GOOD, say(), { attempt })).word).toBe('proven');
  });

  it('is never more than the limit: then a person decides, with the findings', async () => {
    const attempt = { reviews: { passes: 4, sentBack: 4, tree: 'none', found: [] } };
    const { word, result } = await read(BUGGY, say(REAL), { attempt });
    expect(word).toBe('needs-human');
    expect(result.summary).toBe('review findings remain after 5 passes');
  });
});
