import { describe, expect, it } from 'vitest';
import type { Files } from '../../test/support/bench.ts';
import { judgeForReal, type RealCase } from '../../test/support/real-checks.ts';

const TOTAL = 'exports.total = items => items.reduce((sum, each) => sum + each, 0);\n';
const BASE: Files = {
  'package.json': '{ "name": "shop", "scripts": { "test": "node --test test/" } }\n',
  'src/total.js': TOTAL,
  'src/rates.js': `const { readFileSync } = require('node:fs');
exports.rate = land => Number(JSON.parse(readFileSync(\`\${__dirname}/../data/\${'rates'}.json\`, 'utf8'))[land]);
`,
  'data/rates.json': '{ "de": 19 }\n',
  'lib/same.js':
    "const assert = require('node:assert');\nexports.same = (a, b) => assert.strictEqual(a, b);\n",
  'expected/total.txt': '6\n',
  'test/total.test.js': `const test = require('node:test');
const { readFileSync } = require('node:fs');
const { same } = require('../lib/same.js');
const { total } = require('../src/total.js');
test('adds up', () => same(\`\${total([1, 2, 3])}\\n\`, readFileSync(\`\${__dirname}/../expected/\${'total'}.txt\`, 'utf8')));
`,
  'test/rates.test.js': `const test = require('node:test');
const { same } = require('../lib/same.js');
const { rate } = require('../src/rates.js');
test('Germany', () => same(rate('de'), 19));
`,
  'test/code.test.js': `const test = require('node:test');
const { same } = require('../lib/same.js');
const { rebate } = require('../src/code.js');
test('half', () => same(rebate('HALF', 10), 5));
test('none', () => same(rebate('', 10), 10));
`,
};
const CODE = "exports.rebate = (code, cents) => (code === 'HALF' ? cents / 2 : cents);\n";

const TESTING = {
  runner: 'node',
  full: 'node --test test/',
  feature: 'node --test {file}',
  reportPath: null,
} as const;
const POLICY = {
  testing: TESTING,
  mutation: { mutants: 1, budgetMs: 60_000 },
  review: 'off',
  reruns: 0,
  protectedGlobs: [],
} as const;

const play = async (change: Files, more: Partial<RealCase> = {}) => {
  const { results, verdict } = await judgeForReal({
    ...{ base: BASE, change: { 'src/code.js': CODE, ...change }, testFile: 'test/code.test.js' },
    policy: POLICY,
    ...more,
  });
  const found = results.find(({ check }) => check === 'observed');
  return { word: verdict.word, by: verdict.decidedBy, told: found?.findings.join('\n') ?? '', verdict };
};
/** Only exit codes are seen: which tests use a file, nobody knows. */
describe('what judges the work where only exit codes are seen', () => {
  const policy = { ...POLICY, testing: { ...TESTING, runner: 'command' } } as const;
  const base: Files = {
    ...BASE,
    'src/index.js': "exports.twice = require('./twice.js').twice;\n",
    'src/twice.js': 'exports.twice = n => n * 2;\n',
    'test/twice.test.js': `const test = require('node:test');
const { twice } = require('../src/index.js');
test('twice', () => require('node:assert').equal(twice(2), 4));
`,
    'test/code.test.js': `const test = require('node:test');
const { same } = require('../lib/same.js');
const { rebate } = require('../src/index.js');
test('half', () => same(rebate('HALF', 10), 5));
`,
  };
  const index = `${base['src/index.js']}exports.rebate = require('./code.js').rebate;\n`;

  it.each([
    [
      'a module that the task’s own test does not ask',
      'src/twice.js',
      'exports.twice = n => 2 * n;\n',
      'proven',
    ],
    ['an assertion', 'lib/same.js', 'exports.same = () => undefined;\n', 'rejected'],
  ])('is told apart: %s', async (_, path, text, word) => {
    expect((await play({ 'src/index.js': index, [path]: text }, { base, policy })).word).toBe(word);
  });
});

describe('what judges the work', () => {
  it.each<[string, Files]>([
    ['new code that a test names', {}],
    ['code that the product uses', { 'src/total.js': `${TOTAL}exports.none = 0;\n` }],
    [
      'data that the product reads, by a name it puts together',
      { 'data/rates.json': '{ "de": 19, "fr": 20 }\n' },
    ],
    ['words for people', { 'README.md': '# Shop\n' }],
    [
      'a new module and its data',
      { 'src/land.json': '{}', 'src/land.js': "module.exports = require('./land.json');\n" },
    ],
    [
      'a new test with a helper of its own',
      {
        'test/kit.js': 'exports.three = 3;\n',
        'test/three.test.js':
          "const { three } = require('./kit.js');\nrequire('node:test')('three', () => require('node:assert').equal(three, 3));\n",
      },
    ],
  ])('is not %s', async (_, change) => {
    const { word, told } = await play(change);
    expect(told).toBe('');
    expect(word).toBe('proven');
  });

  it.each<[string, Files, string]>([
    [
      'an assertion outside the folder of tests',
      { 'lib/same.js': 'exports.same = () => undefined;\n' },
      'tests stay green when it does nothing, or says yes',
    ],
    [
      'an assertion that would be missed if it were emptied now',
      { 'lib/same.js': 'const make = () => () => undefined;\nexports.same = make();\n' },
      'tests stay green when it does nothing, or says yes',
    ],
    [
      'what only a test reads',
      { 'expected/total.txt': '6\n\n', 'src/total.js': TOTAL.replace('0)', "0) + '\\n'") },
      'only tests read it',
    ],
  ])('may not be changed: %s', async (_, change, why) => {
    const { word, told } = await play(change);
    expect(word).toBe('rejected');
    expect(told).toContain(why);
  });

  it.each<[string, string, string]>([
    [
      'a version',
      '{ "name": "shop", "version": "2.0.0", "scripts": { "test": "node --test test/" } }\n',
      'proven',
    ],
    [
      'which tests are run',
      '{ "name": "shop", "scripts": { "test": "node --test test/code.test.js" } }\n',
      'rejected',
    ],
  ])('in the manifest %s may be changed or not', async (_, text, word) => {
    const testing = { ...TESTING, full: 'npm test --silent' };
    const more = { policy: { ...POLICY, testing } };
    const found = await play({ 'package.json': text }, more);
    expect(found.word).toBe(word);
  });

  it.each<[string, Files, Files, string]>([
    [
      'a table of examples',
      { 'examples/codes.js': "exports.examples = [['HALF', 10, 5]];\n" },
      { 'examples/codes.js': "exports.examples = [['HALF', 10, 6]];\n" },
      'examples/codes.js: only tests name it',
    ],
    [
      'data that a helper reads',
      {
        'examples/codes.js': `const { readFileSync } = require('node:fs');
const { same } = require('../lib/same.js');
exports.compare = got => same(got, JSON.parse(readFileSync(\`\${__dirname}/../wanted/codes.json\`, 'utf8')));
`,
        'wanted/codes.json': '5\n',
      },
      { 'wanted/codes.json': '6\n' },
      'wanted/codes.json was modified; only tests read it',
    ],
  ])('is seen where %s is rewritten', async (what, more, change, told) => {
    const isTable = what === 'a table of examples';
    const body = isTable
      ? 'for (const [code, cents, want] of examples) same(rebate(code, cents), want);'
      : "compare(rebate('HALF', 10));";
    const test = `const test = require('node:test');
const { same } = require('../lib/same.js');
const { ${isTable ? 'examples' : 'compare'} } = require('../examples/codes.js');
const { rebate } = require('../src/code.js');
test('half', () => { ${body} });
`;
    const base = {
      ...BASE,
      ...more,
      'test/code.test.js': test,
      'src/code.js': 'exports.rebate = () => 0;\n',
    };
    const wrong = { 'src/code.js': CODE.replace('/ 2', '/ 2 + 1') };
    const found = await play({}, { base, change: { ...wrong, ...change } });
    expect(found.told).toContain(told);
  });

  it('may not be added to: what a setup file loads where it is there', async () => {
    const base = {
      ...BASE,
      'test/setup.cjs': "try { require('../.local/env.js'); } catch {}\n",
    };
    const full = 'node --require ./test/setup.cjs --test test/';
    const feature = 'node --require ./test/setup.cjs --test {file}';
    const { word, told } = await play(
      { '.local/env.js': 'globalThis.half = 2;\n', 'src/code.js': CODE.replace('/ 2', '/ globalThis.half') },
      { base, policy: { ...POLICY, testing: { ...TESTING, full, feature } } },
    );
    expect(told).toContain('.local/env.js was added; the runner itself opens it');
    expect(word).toBe('rejected');
  });

  it.each<[string, Files, string, string]>([
    ['the product', { 'src/total.js': `${TOTAL}exports.none = 0;\n` }, '', 'proven'],
    [
      'an assertion',
      { 'lib/same.js': 'exports.same = () => undefined;\n' },
      'lib/same.js was modified; the runner itself opens it',
      'rejected',
    ],
  ])('is told apart where a setup file loads it: %s', async (_, change, why, word) => {
    const base = { ...BASE, 'setup.cjs': "require('./src/total.js');\nrequire('./lib/same.js');\n" };
    const [full, feature] = ['test/', '{file}'].map(what => `node --require ./setup.cjs --test ${what}`);
    const testing = { ...TESTING, full: full ?? '', feature: feature ?? '' };
    const found = await play(change, { base, policy: { ...POLICY, testing } });
    expect(found.told).toContain(why);
    expect(found.word).toBe(word);
  });

  it('is not what a build before the tests opens', async () => {
    const base = {
      ...BASE,
      'build.js': `const fs = require('node:fs');
fs.mkdirSync('dist');
fs.writeFileSync('dist/all.js', fs.readFileSync('src/code.js'));
`,
      'src/code.js': 'exports.rebate = () => 0;\n',
      'test/code.test.js': (BASE['test/code.test.js'] ?? '').replace('../src/code.js', '../dist/all.js'),
    };
    const [full, feature] = ['test/', '{file}'].map(what => `node build.js && node --test ${what}`);
    const testing = { ...TESTING, full: full ?? '', feature: feature ?? '' };
    const found = await play({}, { base, policy: { ...POLICY, testing } });
    expect(found.told).toBe('');
    expect(found.word).toBe('proven');
  });

  it('may not be changed: an answer that tests only assert', async () => {
    const base: Record<string, string> = { ...BASE, 'lib/same.js': 'exports.same = (a, b) => a === b;\n' };
    for (const name of ['total', 'rates', 'code'])
      base[`test/${name}.test.js`] = (base[`test/${name}.test.js`] ?? '').replaceAll(
        /same\((?=total|rate|rebate|`)(.*)\)\);/g,
        "require('node:assert').ok(same($1)));",
      );
    const { word, told } = await play({ 'lib/same.js': 'exports.same = () => true;\n' }, { base });
    expect(told).toContain('lib/same.js was modified; tests stay green when it does nothing, or says yes');
    expect(word).toBe('rejected');
  });

  it('may not be left aside for another file of the same name', async () => {
    const base: Record<string, string> = { ...BASE, 'test/kit/index.js': BASE['lib/same.js'] ?? '' };
    for (const name of ['total', 'rates', 'code'])
      base[`test/${name}.test.js`] = (base[`test/${name}.test.js`] ?? '').replace('../lib/same.js', './kit');
    const { word, told } = await play({ 'test/kit.js': 'exports.same = () => undefined;\n' }, { base });
    expect(word).toBe('rejected');
    expect(told).toContain('test/kit.js was added, and tests now open it in the place of test/kit/index.js');
  });

  it.each<[string, Files, Files]>([
    [
      'an expected value',
      {
        'test/code.test.js': (BASE['test/code.test.js'] ?? '').replace(
          '10), 5',
          "10), Number(require('node:fs').readFileSync('half.txt', 'utf8'))",
        ),
      },
      { 'half.txt': '5\n' },
    ],
  ])('is for somebody else to read when the work brings %s', async (_, more, change) => {
    const given = { base: { ...BASE, ...more } };
    const unread = await play(change, given);
    expect(unread.told).toContain(Object.keys(change)[0]);
    const policy = { ...POLICY, review: 'auto' } as const;
    expect(await play(change, { ...given, policy })).toMatchObject({ word: 'rejected', by: 'review' });
    expect(await play(change, { ...given, policy, review: 'clean' })).toMatchObject({ word: 'proven' });
  });
});

describe('a validation', () => {
  const testing = { runner: 'command', full: null, feature: null, reportPath: null } as const;
  const PLAIN = { testing, review: 'off', reruns: 0, protectedGlobs: [] } as const;
  const CHECK =
    "import { rows } from '../data/rows.mjs';\nimport { want } from './want.mjs';\nif (rows().length !== want) process.exit(1);\n";
  const base: Files = {
    'package.json': '{ "name": "shop" }\n',
    'data/rows.mjs': 'export const rows = () => [1];\n',
    'tools/check.mjs': CHECK,
    'tools/want.mjs': 'export const want = 2;\n',
    'tools/report.mjs': "console.log('one');\n",
    'README.md': '# Shop\n',
  };
  const judge = (command: string, change: Files) =>
    play({}, { base, change, testFile: null, validation: { command, timeoutSeconds: 30 }, policy: PLAIN });

  it.each<[string, string, Files]>([
    ['its script', 'node tools/check.mjs', { 'tools/check.mjs': '' }],
    ['what lies beside its script', 'node tools/check.mjs', { 'tools/want.mjs': 'export const want = 1;\n' }],
  ])('may not have %s changed', async (_, command, change) => {
    expect(await judge(command, change)).toMatchObject({ word: 'rejected', by: 'observed' });
  });

  it.each<[string, string, Files]>([
    [
      'the code it judges',
      'node tools/check.mjs',
      { 'data/rows.mjs': 'export const rows = () => [1, 2];\n' },
    ],
    [
      'a program whose output it looks at',
      'node tools/report.mjs | grep -q two',
      { 'tools/report.mjs': "console.log('one two');\n" },
    ],
    [
      'a text that is all it looks at',
      "grep -q '^## Install' README.md",
      { 'README.md': '# Shop\n\n## Install\n' },
    ],
  ])('may have %s changed', async (_, command, change) => {
    expect(await judge(command, change)).toMatchObject({ word: 'proven', told: '' });
  });

  it.each<[string, string, Files, string]>([
    [
      'what it compares with',
      'grep -qf docs/wanted.txt README.md',
      { 'docs/wanted.txt': 'Go away\n', 'README.md': 'Go away.\n' },
      'docs/wanted.txt: the proof looks at data alone',
    ],
    [
      'a script without an ending',
      'sh tools/check',
      { 'tools/check': 'grep -q Install README.md\n', 'README.md': 'Install it.\n' },
      'the validation goes by it',
    ],
  ])('has others look where %s is changed with the work', async (_, command, change, told) => {
    const files = {
      ...base,
      'docs/wanted.txt': '## Install\n',
      'tools/check': "grep -q '## Install' README.md\n",
    };
    const validation = { command, timeoutSeconds: 30 };
    const found = await play({}, { base: files, change, testFile: null, validation, policy: PLAIN });
    expect(found.told).toContain(told);
  });
});
