import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../process/random.ts';
import { createSources } from './sources.ts';

const sources = createSources({ workerId: 'w-sources', random: createRandom() }, tmpdir());

async function mutate(path: string, text: string, lines?: readonly number[], limit = 50, seed = 's') {
  const all = text.split('\n').map((_, i) => i + 1);
  return (await sources.mutate({ path, text, lines: lines ?? all, limit, seed })) ?? [];
}

const wrap = (body: string) => `export function f(a, b) {\n${body}\n}\n`;

describe('mutants of JavaScript', () => {
  it.each<[string, string]>([
    ['return a + b;', 'return a - b;'],
    ['return a === b;', 'return a !== b;'],
    ['return a < b;', 'return a >= b;'],
    ['return a && b;', 'return a || b;'],
    ['return a ?? b;', 'return a && b;'],
    ['return true;', 'return false;'],
    ['return 41;', 'return 42;'],
    ["return 'x';", "return '';"],
    ['return `x`;', 'return ``;'],
    ['return a;', 'return undefined;'],
    ['if (a) b();', 'if (!(a)) b();'],
    ['if (a) b();', 'if (a) ;'],
    ['throw new Error(a);', ';'],
    ['a += b;', 'a -= b;'],
    ['return a.map(x => x);', 'return a.map(x => undefined);'],
  ])('%s can become %s', async (body, broken) => {
    const texts = (await mutate('a.js', wrap(body))).map(mutant => mutant.text);
    expect(texts).toContain(wrap(broken));
  });

  it('empties all functions that others can call, first and at once', async () => {
    const text = 'export const f = a => a;\nexport class C {\n  m() {\n    return 1;\n  }\n}\n';
    const [first] = await mutate('a.ts', text);
    expect(first).toMatchObject({ kind: 'body', line: 1 });
    expect(first?.text).toBe(
      'export const f = a => undefined;\nexport class C {\n  m() { return undefined; }\n}\n',
    );
  });

  it('breaks nothing outside the changed lines', async () => {
    const text = wrap('  if (a > 1) return 1;\n  return a + b;');
    for (const mutant of await mutate('a.js', text, [3])) {
      expect(mutant.line).toBe(3);
      if (mutant.kind === 'single') expect(mutant.text.split('\n')[1]).toBe(text.split('\n')[1]);
    }
  });

  it('sets apart what runs by itself and what nobody can call', async () => {
    const text = `import './x.js';
function forge() { return 1 + 1; }
function helper() { return 2 * 2; }
export function f() { return helper(); }
process.on('exit', () => { forge(); });
`;
    const kinds = new Map((await mutate('a.js', text)).map(({ line, kind }) => [line, kind]));
    expect(kinds).toEqual(
      new Map([
        [2, 'effect'],
        [3, 'single'],
        [4, 'single'],
        [5, 'effect'],
      ]),
    );
  });

  it('knows the exports of CommonJS', async () => {
    const text = 'function f(a) { return a + 1; }\nmodule.exports = { f };\nexports.g = () => 2;\n';
    const found = await mutate('a.cjs', text);
    expect(found.every(({ kind }) => kind !== 'effect')).toBe(true);
    expect(found[0]?.text).toContain('exports.g = () => undefined;');
  });

  it.each([
    'module.exports = { f };',
    'Object.assign(exports, { f });',
    "Object.defineProperty(module.exports, 'f', { value: f });",
  ])('breaks the code and never the export: %s', async line => {
    const found = await mutate('a.cjs', `function f(a) {\n  return a + 1;\n}\n${line}\n`);
    expect(found.length).toBeGreaterThan(0);
    for (const { kind, text } of found) {
      expect(kind).not.toBe('effect');
      expect(text).toContain(line);
    }
  });

  it('leaves imports, keys and types alone', async () => {
    const text = `import a from 'x';\nconst b = require('y');\nexport const c: 'k' | 2 = { 'key': b, 3: a };\n`;
    expect((await mutate('a.ts', text)).filter(({ kind }) => kind === 'single')).toEqual([]);
  });

  it('picks the same for the same seed, spread over the functions', async () => {
    const body = Array.from({ length: 6 }, (_, i) => `  a = a + ${i};`).join('\n');
    const text = `${wrap(body)}${wrap(body).replace('f(', 'g(')}`;
    const [one, two] = [await mutate('a.js', text, undefined, 4), await mutate('a.js', text, undefined, 4)];
    expect(one).toEqual(two);
    expect(one).not.toEqual(await mutate('a.js', text, undefined, 4, 'other'));
    const [x, y] = one.filter(({ kind }) => kind === 'single');
    expect(Math.abs((x?.line ?? 0) - (y?.line ?? 0))).toBeGreaterThan(1);
    expect(x && x.line < 9 !== (y && y.line < 9)).toBe(true);
  });
});

describe('mutants of Python', () => {
  it('empties the last function of a long file, too', async () => {
    const long = Array.from({ length: 400 }, (_, i) => `def f${i}(a):\n    return a + ${i}\n`).join('\n');
    const [first] = await mutate('a.py', long);
    expect(first?.text).toContain('def f399(a):\n    return None');
  });

  it('breaks what people get wrong', async () => {
    const cases: readonly [string, string][] = [
      ['return a + b', 'return a - b'],
      ['return a == b', 'return a != b'],
      ['return a and b', 'return a or b'],
      ['return "é" if a else 1', "return '' if a else 1"],
      ['return 41', 'return 42'],
      ['return a', 'return None'],
      ['raise ValueError(a)', 'pass'],
      ['a.append(b)', 'pass'],
    ];
    const text = (lines: readonly string[]) =>
      lines.map((line, i) => `def f${i}(a, b):\n    """Sums."""\n    ${line}\n`).join('\n');
    const before = cases.map(([line]) => line);
    const texts = (await mutate('a.py', text(before))).map(mutant => mutant.text);
    for (const [i, [, broken]] of cases.entries())
      expect(texts).toContain(text(before.map((line, at) => (at === i ? broken : line))));
  });

  it('empties functions, and sets apart what runs by itself', async () => {
    const text = `import atexit\ndef forge():\n    return 1\natexit.register(forge)\ndef f(a):\n    return a + 1\n`;
    const found = await mutate('a.py', text);
    expect(found[0]).toMatchObject({ kind: 'body', what: 'f returns nothing' });
    expect(found.filter(({ kind }) => kind === 'effect').map(({ line }) => line)).toEqual(
      expect.arrayContaining([3, 4]),
    );
    expect(found.filter(({ kind }) => kind === 'single').every(({ line }) => line === 6)).toBe(true);
  });

  it('has none for what it cannot parse, and says when the language is not known', async () => {
    expect(await mutate('a.py', 'def (')).toEqual([]);
    expect(await sources.mutate({ path: 'a.css', text: 'a{}', lines: [1], limit: 1, seed: '' })).toBeNull();
  });
});
