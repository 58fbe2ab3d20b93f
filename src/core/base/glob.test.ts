import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesAny } from './glob.ts';

describe('matchesAny', () => {
  it.each([
    ['package.json', 'package.json', true],
    ['package.json', 'apps/web/package.json', true],
    ['package.json', 'package.json.bak', false],
    ['package.json', 'my-package.json', false],
    ['/package.json', 'package.json', true],
    ['/package.json', 'apps/web/package.json', false],
    ['./package.json', 'apps/web/package.json', true],
    ['*.lock', 'deep/down/yarn.lock', true],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/*.ts', 'lib/src/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/deep/down/a.ts', true],
    ['src/**', 'src/deep/a.ts', true],
    ['src/**', 'srcs/a.ts', false],
    ['**/a.ts', 'a.ts', true],
    ['**', 'any/thing', true],
    ['test/', 'test/deep/a.ts', true],
    ['test/', 'tests/a.ts', false],
    ['**/vitest.config.*', 'vitest.config.ts', true],
    ['**/vitest.config.*', 'web/vitest.config.mts', true],
    ['*.{test,spec}.{ts,js}', 'src/a.spec.js', true],
    ['*.{test,spec}.{ts,js}', 'src/a.spec.py', false],
    ['{a,b/{c,d}}/x', 'b/d/x', true],
    ['a,b', 'a,b', true],
    ['file?.txt', 'file1.txt', true],
    ['file?.txt', 'file/.txt', false],
    ['a.b', 'aXb', false],
    ['pages/[id].tsx', 'pages/[id].tsx', true],
    ['pages/[id].tsx', 'pages/i.tsx', false],
    ['a{b', 'deep/a{b', true],
    ['a}b{c', 'a}b{c', true],
    ['*{b', 'xx{b', true],
    ['(a|b)+', '(a|b)+', true],
    ['', 'a', false],
  ])('%s against %s: %s', (glob, path, matches) => {
    expect(matchesAny(path, [glob])).toBe(matches);
  });

  it('is not led astray by a line break in a name', () => {
    expect(matchesAny('new\nline/package.json', ['package.json'])).toBe(true);
    expect(matchesAny('src/new\nline/a.ts', ['src/**'])).toBe(true);
    expect(matchesAny('package.json\n', ['package.json'])).toBe(false);
  });

  it('matches when any of the globs does, and never without one', () => {
    expect(matchesAny('b', ['a', 'b'])).toBe(true);
    expect(matchesAny('b', [])).toBe(false);
  });

  it('takes every plain path for itself, at the root when it says so', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_.+()[\]^$-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), parts => {
        fc.pre(!parts.every(part => part === '.'));
        const path = parts.join('/');
        expect(matchesAny(path, [`/${path}`])).toBe(true);
        expect(matchesAny(`${path}x`, [`/${path}`])).toBe(false);
      }),
    );
  });

  it('never throws, whatever is written into a config', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (glob, path) => typeof matchesAny(path, [glob]) === 'boolean'),
    );
  });

  it('says of a list what it says of each of its globs', () => {
    const glob = fc
      .array(fc.constantFrom('a', 'b', '/', '*', '**', '**/', '?', '.', '{a,b}', '|', '{'), {
        minLength: 1,
        maxLength: 6,
      })
      .map(parts => parts.join(''));
    const path = fc.string({
      unit: fc.constantFrom('a', 'b', '/', '.', '|', '{'),
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(glob, { maxLength: 5 }), path, (globs, text) => {
        expect(matchesAny(text, globs)).toBe(globs.some(one => matchesAny(text, [one])));
      }),
      { numRuns: 1_000 },
    );
  });
});
