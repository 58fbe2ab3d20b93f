import { describe, expect, it } from 'vitest';
import { getLeftover, type LeftoverCase } from './leftovers.ts';

const read = (...bytes: readonly number[]) => Buffer.from(bytes).toString();
const MZ = `MZ${read(0x90, 0, 3, 0, 0, 0)}`;
const PYC = read(0xcb, 0x0d, 0x0d, 0x0a, 0, 0, 0, 0, 1, 2);
const MACH = read(0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1, 0, 0, 0, 0, 2, 0);
const FAT = read(0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2, 1, 0, 0, 7);
const ELF = '\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0';
const HUGE = 'x'.repeat(6 * 1024 ** 2);
const BASE = ['src/price.js', 'package.json', 'notes'];

function look(path: string, given: Partial<LeftoverCase> & { readonly also?: string } = {}) {
  const base = new Set([...BASE, ...(given.also ? [given.also] : [])]);
  const files = new Set([...base, path]);
  return getLeftover({ path, text: 'x', before: null, manifest: '', base, files, ...given });
}

describe('getLeftover', () => {
  it.each([
    ['tool.exe', MZ],
    ['lib/price.pyc', PYC],
    ['old.pyc', read(0x03, 0xf3, 0x0d, 0x0a, 1, 2, 3, 0)],
    ['bin/tool', MACH],
    ['bin/both', FAT],
    ['bin/tool', ELF],
  ])('takes %s for a program by its bytes', (path, text) => {
    expect(look(path, { text })).toBe('a compiled program');
    expect(look(path, { text, before: 'a text\n' })).toBe('a compiled program');
    expect(look(path, { text, before: text })).toBeNull();
  });

  it.each([
    ['lib/a.dll', MZ],
    ['prebuilt/a.node', MACH],
    ['names.txt', 'MZ is short for Mark Zbikowski\n'],
    ['a.class', read(0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 0x34, 0, 1)],
    ['a.png', read(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0)],
    ['a.txt', 'ab\r\ncd\r\n'],
    ['a.dat', read(0xff, 0xfe, 0xfd, 0xfc, 9, 9, 9, 9, 0)],
  ])('takes %s for none', (path, text) => {
    expect(look(path, { text })).toBeNull();
  });

  it('holds a file to its size only where the change made it large', () => {
    expect(look('src/price.js', { text: HUGE, before: 'x' })).toBe('6 MB large');
    expect(look('src/price.js', { text: `${HUGE}y`, before: HUGE })).toBeNull();
  });

  it.each([
    ['src/price copy.js', 'src/other copy.js'],
    ['src/price - Copy.js', 'src/a - Copy.js'],
    ['src/price (1).js', 'docs/b (1).md'],
    ['src/price.js.BAK', 'data/a.bak'],
    ['src/price.BAK', 'data/a.Bak'],
    ['src/#price.js#', '#a#'],
    ['coverage/lcov.info', 'packages/a/lcov.info'],
    ['coverage/lcov-report/index.html', 'lcov-report/base.css'],
    ['shop-1.0.0.tgz', 'vendor/a.tgz'],
    ['debug.log', 'samples/a.log'],
    ['src/pnpm-debug.log', 'a.log'],
  ])('takes a new %s for a leftover, unless the base keeps such: %s', (path, also) => {
    expect(look(path)).not.toBeNull();
    expect(look(path, { also })).toBeNull();
    expect(look(path, { before: 'x' })).toBeNull();
  });

  it.each(['src/price.js.bak', 'src/price.js~', 'npm-debug.log', '.DS_Store'])(
    'takes %s for one even if the base has such',
    path => {
      expect(look(path, { also: `old/${path}` })).not.toBeNull();
    },
  );

  it.each([
    'docs/landing copy.md',
    'src/photocopy.js',
    'data/restore.BAK',
    'coverage/index.js',
    'fixtures/a.tgz',
    'docs/sample.log',
    'src/debug.js',
    'docs/c#.md',
  ])('lets a new %s be', path => {
    expect(look(path)).toBeNull();
  });

  it('lets a packed file be that package.json needs', () => {
    const manifest = '{ "dependencies": { "a": "file:a-1.0.0.tgz" } }';
    expect(look('a-1.0.0.tgz', { manifest })).toBeNull();
    expect(look('b-1.0.0.tgz', { manifest })).not.toBeNull();
  });
});
