import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchesAny } from './glob.ts';
import { haveCommonPath } from './glob-overlap.ts';

it.each([
  ['src/a.ts', 'src/a.ts', true],
  ['src/a.ts', 'src/b.ts', false],
  ['src/*.ts', 'src/b.ts', true],
  ['src/*.ts', 'src/deep/b.ts', false],
  ['src/**', 'src/deep/b.ts', true],
  ['src/**', 'srcs/b.ts', false],
  ['src/', 'src/b.ts', true],
  ['a.ts', 'deep/a.ts', true],
  ['/a.ts', 'deep/a.ts', false],
  ['./src/a.ts', 'src/a.ts', true],
  ['*.ts', '*.js', false],
  ['a*', '*b', true],
  ['src/*/index.ts', 'src/tax/*.ts', true],
  ['src/*/index.ts', 'src/tax/a/*.ts', false],
  ['src/**/index.ts', 'src/tax/**', true],
  ['lib/{a,b}.ts', 'lib/{b,c}.ts', true],
  ['lib/{a,b}.ts', 'lib/{c,d}.ts', false],
  ['file?.txt', 'file1.txt', true],
  ['file?.txt', 'file10.txt', false],
  ['pages/[id].tsx', 'pages/[id].tsx', true],
])('%s and %s: %s', (one, other, expected) => {
  expect(haveCommonPath([one], [other])).toBe(expected);
  expect(haveCommonPath([other], ['none', one])).toBe(expected);
});

it('says yes wherever there is a path that both match', () => {
  const part = fc.constantFrom('a', 'b', 'ab', '*', '?', 'a*', '*b', '**', '{a,b}');
  const globs = fc.array(part, { minLength: 1, maxLength: 4 }).map(parts => parts.join('/'));
  const paths = fc.array(fc.constantFrom('a', 'b', 'ab', 'x'), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(globs, globs, paths, (one, other, parts) => {
      const path = parts.join('/');
      fc.pre(matchesAny(path, [one]) && matchesAny(path, [other]));
      expect(haveCommonPath([one], [other])).toBe(true);
    }),
  );
});

it('says no for lists of nothing', () => {
  expect(haveCommonPath([], ['**'])).toBe(false);
});
