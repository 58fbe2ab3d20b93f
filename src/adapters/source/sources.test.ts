import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../process/random.ts';
import { createSources } from './sources.ts';

const sources = createSources({ workerId: 'w-sources', random: createRandom() }, tmpdir());

async function alter(path: string, text: string) {
  const altered = await sources.alterTest({ path, text, nonce: 'q7' });
  if (!altered) throw new Error('not altered');
  return altered;
}

async function alterBody(body: string, head = '', path = 'a.test.js'): Promise<string> {
  const [before, after] = [`${head}it('x', () => { `, ` });\n`];
  const { text } = await alter(path, before + body + after);
  return text.slice(before.length, text.indexOf(after));
}

describe('an altered test in JavaScript', () => {
  it.each<[string, string]>([
    ['expect(a).toBe(1);', 'expect(a).toBe(4212);'],
    ['expect(a).toBe(-1);', 'expect(a).toBe(4210);'],
    ['expect(a).toBe(1e300);', 'expect(a).toBe(1);'],
    ["expect(a).toEqual('b');", 'expect(a).toEqual("bq7");'],
    ['expect(a).toStrictEqual(true);', 'expect(a).toStrictEqual(false);'],
    ['expect(a).toBe(`b`);', 'expect(a).toBe(`bq7`);'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a test
    ['expect(a).toBe(`b${c}`);', 'expect(a).toBe(`b${c}q7`);'],
    ['expect(a).toEqual([1, 2]);', 'expect(a).toEqual([4212, 2]);'],
    ['expect(a).toEqual([]);', 'expect(a).toEqual(["q7"]);'],
    ['expect(a).toEqual({ b: 1, c: 2 });', 'expect(a).toEqual({ b: 4212, c: 2 });'],
    ['expect(a).toEqual({});', 'expect(a).toEqual({ "q7": "q7" });'],
    ['expect(a).toBe(5n);', 'expect(a).toBe(4216n);'],
    ['expect(a).toBe(undefined);', 'expect(a).toBe("q7");'],
    ['expect(a).toBe(b);', 'expect(a).toBe("q7");'],
    ['expect(a).to.equal(1);', 'expect(a).to.equal(4212);'],
    ['expect(a).to.deep.equal([1]);', 'expect(a).to.deep.equal([4212]);'],
    ['a.should.equal(1);', 'a.should.equal(4212);'],
    ['assert.equal(a, 1);', 'assert.equal(a, 4212);'],
    ['assert.strictEqual(a, 1, "why");', 'assert.strictEqual(a, 4212, "why");'],
    ['assert.deepStrictEqual(a, { b: true });', 'assert.deepStrictEqual(a, { b: false });'],
    ['t.assert.strictEqual(a, 1);', 't.assert.strictEqual(a, 4212);'],
    ['assert(a === 1);', 'assert(a === 4212);'],
    ['assert.ok(a === 1);', 'assert.ok(a === 4212);'],
    ['expect(a).not.toBe(1);', 'expect(a).not.toBe(1);'],
    ['assert.notEqual(a, 1);', 'assert.notEqual(a, 1);'],
    ['expect(a).toMatchSnapshot(1);', 'expect(a).toMatchSnapshot(1);'],
    ['expect(a).toMatchInlineSnapshot(`1`);', 'expect(a).toMatchInlineSnapshot(`1`);'],
    ['list.equal(a, 1);', 'list.equal(a, 1);'],
  ])('%s becomes %s', async (body, expected) => {
    expect(await alterBody(body)).toBe(expected);
  });

  it('knows assertions by the names they are imported under', async () => {
    const head = "import { strictEqual as same } from 'node:assert';\n";
    expect(await alterBody('same(a, 1);', head)).toBe('same(a, 4212);');
    const required = "const { deepEqual } = require('assert');\n";
    expect(await alterBody('deepEqual(a, 1);', required)).toBe('deepEqual(a, 4212);');
  });

  it('keeps TypeScript content', async () => {
    expect(await alterBody('expect(a as B).toBe(b);', '', 'a.test.ts')).toBe(
      'expect(a as B).toBe(("q7" as any));',
    );
    expect(await alterBody('expect(a).toBe(1 as Id);', '', 'a.test.ts')).toBe('expect(a).toBe(4212 as Id);');
  });

  it('leaves hooks, skipped tests and tests that are meant to fail alone', async () => {
    const text = `beforeEach(() => { expect(a).toBe(1); });
it.skip('s', () => { expect(a).toBe(1); });
it.fails('f', () => { expect(a).toBe(1); });
expect(a).toBe(1);
describe('d', () => { expect(a).toBe(1); });\n`;
    expect((await alter('a.test.js', text)).text).toBe(text);
  });

  it('names the tests that hold an alteration, and says which are sure to reach it', async () => {
    const { tests, alterations } = await alter(
      'a.test.js',
      `describe('d', () => {
  it('plain', () => { expect(a).toBe(1); });
  it('branch', () => { if (b) expect(a).toBe(1); });
  it('loop', () => { for (const c of cs) expect(a).toBe(c); });
  it('nested', () => { run(() => { expect(a).toBe(1); }); });
  it('loose', () => { expect(a).resolves.toBe(1); });
  it('awaited', async () => { await expect(a).resolves.toBe(1); });
  it('early', () => { if (b) return; expect(a).toBe(1); });
  it('none', () => { run(); });
  it.each([1])('%s', n => { expect(a).toBe(n); });
});
test('outer', async t => { await t.test('inner', () => { assert.equal(a, 1); }); });
`,
    );
    expect(alterations).toBe(9);
    expect(tests.map(({ names, isSure }) => `${names.join(' > ')}${isSure ? '!' : ''}`)).toEqual([
      'd > plain!',
      'd > branch',
      'd > loop',
      'd > nested',
      'd > loose',
      'd > awaited!',
      'd > early',
      'outer > inner!',
    ]);
  });

  it.each<[string, string, readonly string[]]>([
    [
      'vitest and jest',
      "it('x', () => { expect(a).toBe(1); });",
      ["it('q7 1', () => { throw", 'expect(1).toBe(2)'],
    ],
    [
      'node:test',
      "import check from 'node:test'; import assert from 'node:assert'; check('x', () => { assert.equal(a, 1); });",
      ["check('q7 1'", 'assert.equal(1, 2)'],
    ],
    ['chai', "it('x', () => { expect(a).to.equal(1); });", ['expect(1).to.equal(2)']],
    ['a file with only', "it.only('x', () => { expect(a).toBe(1); });", ["it.only('q7 1'"]],
    [
      'mocha’s tdd',
      "suite('s', () => { test('x', () => { assert(a === 1); }); });",
      ["test('q7 1'", 'assert(1 === 2)'],
    ],
    [
      'tape',
      "import test from 'tape'; test('x', t => { t.equal(a, 1); t.end(); });",
      ["test('q7 1', t => { t.equal(1, 2); t.end?.(); })"],
    ],
    ['Deno', "Deno.test('x', () => { if (a !== 1) throw new Error(); });", ["Deno.test('q7 1'"]],
    ['tap', "tap.test('x', t => { t.equal(a, 1); t.end(); });", ["tap.test('q7 1'"]],
  ])('gets tests that must fail, in the manner of %s', async (_, text, parts) => {
    const { textWithNonces, nonceNames } = await alter('a.test.mjs', text);
    for (const part of parts) expect(textWithNonces.slice(text.length)).toContain(part);
    expect(nonceNames[0]).toBe('q7 1');
  });

  it('adds nothing where no test can be found', async () => {
    expect(await alter('a.js', 'export {};')).toMatchObject({ nonceNames: [], alterations: 0 });
  });
});

describe('an altered test in Python', () => {
  it('alters pytest and unittest, and names what it altered', async () => {
    const text = `import unittest

def test_plain():
    assert add(1, 2) == 3
def test_branch():
    if x:
        assert a == "é"
def test_not():
    assert a != 3
class TestSum(unittest.TestCase):
    def setUp(self):
        assert a == 1
    def test_in_class(self):
        self.assertEqual(add(1), [True], "why")
`;
    const altered = await alter('test_a.py', text);
    expect(altered.text).toContain('assert add(1, 2) == 4214\n');
    expect(altered.text).toContain("assert a == 'éq7'\n");
    expect(altered.text).toContain('assert a != 3\n');
    expect(altered.text).toContain('        assert a == 1\n');
    expect(altered.text).toContain('self.assertEqual(add(1), [False], "why")');
    expect(altered.tests).toEqual([
      { names: ['test_plain'], line: 4, isSure: true },
      { names: ['test_branch'], line: 7, isSure: false },
      { names: ['TestSum', 'test_in_class'], line: 14, isSure: true },
    ]);
    expect(altered.nonceNames).toEqual(['test_q7_1', 'test_q7_2', 'test_q7_3']);
    expect(altered.textWithNonces.startsWith(text)).toBe(true);
  });

  it('gives up on what Python cannot parse', async () => {
    expect(await sources.alterTest({ path: 'test_a.py', text: 'def (', nonce: 'q7' })).toBeNull();
  });
});

describe('tests that must fail in compiled languages', () => {
  it.each<[string, string, string]>([
    ['sum_test.go', 'package sum\n\nimport "testing"\n', 'func TestQ7(t *testing.T) {'],
    ['sum_test.go', 'package sum\n\nimport (\n\tgo "testing"\n)\n', 'func TestQ7(t *go.T) {'],
    ['tests/it.rs', 'use shop;\n', '#[test]\nfn fails_q7() {'],
  ])('%s gets one', async (path, text, part) => {
    expect((await alter(path, text)).text).toContain(part);
  });

  it('knows no other language', async () => {
    expect(await sources.alterTest({ path: 'a.rb', text: '', nonce: 'q7' })).toBeNull();
    expect(await sources.alterTest({ path: 'sum_test.go', text: 'package sum', nonce: 'q7' })).toBeNull();
  });
});
