import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commit, runCli, runJson } from '../support/cli.ts';
import { git, makeRepo, takeImage, write } from '../support/git-fixture.ts';

const getTest = (
  name: string,
  ...lines: readonly string[]
): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as shop from '../src/shop.js';
${lines.map((line, at) => `test('${name} ${at + 1}', () => ${line});`).join('\n')}
`;
const PRICE = 'export const price = n => n * 2;\n';
const TAX = `${PRICE}export const tax = n => price(n) * 0.5 + 1;\n`;
/** Right as far as its own test can tell. */
const BREAKING = 'export const price = n => n + 2;\nexport const tax = n => n + 1;\n';
const OLD = getTest('price', 'assert.equal(shop.price(3), 6)');
const NEW = getTest('tax', 'assert.equal(shop.tax(2), 3)', 'assert.equal(shop.tax(4), 5)');

function makeShop(): string {
  return makeRepo({
    'package.json': '{ "type": "module", "scripts": { "test": "node --test test/" } }\n',
    'src/shop.js': PRICE,
    'test/price.test.js': OLD,
    'README.md': 'A shop.\n',
  });
}

interface Answer {
  readonly passed: boolean;
  readonly verdict: string;
  readonly headline: string;
  readonly asGiven: readonly string[];
  readonly changedTests: readonly string[];
  readonly proof: { readonly hash: string };
}

const judge = (dir: string, ...args: readonly string[]) =>
  runJson<Answer>(dir, ['verify', '--base', 'main', ...args]);

describe.concurrent('verify --base, in a repository that nobody has set up', { timeout: 180_000 }, () => {
  it('proves what is in the checkout, committed or not, and leaves no trace', async () => {
    const dir = makeShop();
    git(dir, 'switch', '-qc', 'work');
    commit(dir, { 'test/tax.test.js': NEW });
    write(dir, { 'src/shop.js': TAX });
    const before = takeImage(dirname(dir), path => path === 'cache');
    const html = join(dirname(dir), 'cache', 'proof.html');
    const { code, stdout, stderr } = await runCli(dir, ['verify', '--base', 'main', '--html', html]);
    const [headline = ''] = stdout.split('\n');
    expect([code, headline], stderr).toEqual([0, expect.stringMatching(/^proven: 2 tests turned/)]);
    expect(headline).toContain('taken as given: test/tax.test.js, which came with the change');
    expect(headline).toMatch(/NOT ASKED: .*review \(no reviewer read it\)/);
    expect(stdout).toContain('as harness init finds them: node --test');
    expect(readFileSync(html, 'utf8')).toContain('<html');
    expect(takeImage(dirname(dir), path => path === 'cache')).toEqual(before);
  });

  it.each([
    ['an operator is flipped', TAX.replace('+ 1', '- 1'), NEW, 'rejected: fail-to-pass'],
    ['half of it is left out', `${PRICE}export const tax = () => 3;\n`, NEW, 'rejected: fail-to-pass'],
    ['it breaks what was there', BREAKING, NEW, 'rejected: pass-to-pass'],
    ['nothing says what it should do', TAX, null, 'not proven: no test came with the change'],
  ])('refuses a branch when %s', async (_, source, test, says) => {
    const dir = makeShop();
    git(dir, 'switch', '-qc', 'work');
    commit(dir, { 'src/shop.js': source, ...(test === null ? {} : { 'test/tax.test.js': test }) });
    git(dir, 'switch', '-q', 'main');
    const answer = await judge(dir, '--head', 'work');
    expect([answer.passed, answer.headline]).toEqual([false, expect.stringContaining(says)]);
  });

  it('says which expectations of the base were given up', async () => {
    const dir = makeShop();
    git(dir, 'switch', '-qc', 'work');
    const changed = getTest('price', 'assert.equal(shop.price(3), 7.5)');
    commit(dir, {
      'src/shop.js': TAX.replace('n * 2', 'n * 2.5').replace('* 0.5', '* 0.4'),
      'test/price.test.js': changed,
      'test/tax.test.js': NEW,
    });
    const meant = await judge(dir);
    expect(meant).toMatchObject({ passed: true, changedTests: [expect.stringContaining('price 1')] });
    expect(meant.headline).toContain('1 tests of the base no longer hold as they stood');
  });

  it('is not content with one of several tests that came with the change', async () => {
    const dir = makeShop();
    git(dir, 'switch', '-qc', 'work');
    const more = getTest('more', 'assert.equal(shop.more(), 1)');
    commit(dir, { 'src/shop.js': TAX, 'test/tax.test.js': NEW, 'test/z-more.test.js': more });
    expect((await judge(dir)).passed).toBe(false);
  });

  it('works from what the branch began with, when the base has moved on', async () => {
    const dir = makeShop();
    git(dir, 'switch', '-qc', 'work');
    commit(dir, { 'src/shop.js': TAX, 'test/tax.test.js': NEW });
    git(dir, 'switch', '-q', 'main');
    commit(dir, { 'README.md': 'A better shop.\n' });
    expect(await judge(dir, '--head', 'work')).toMatchObject({ passed: true, verdict: 'proven' });
  });

  it.each([
    [['--base', 'nowhere'], 'there is no branch, tag or commit nowhere'],
    [['--base', 'main'], 'nothing has changed since the base'],
    [['--head', 'main'], 'need --base'],
    [['1', '--base', 'main'], '--base cannot be combined with a task'],
  ])('refuses %j with a fix', async (args, says) => {
    const { code, stderr } = await runCli(makeShop(), ['verify', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(stderr).toContain('fix:');
  });
});
