import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countProblems, getNewLines, isWorse } from './count-problems.ts';

describe('countProblems', () => {
  it.each([
    ['ESLint', '  1:1  error  x is unused  no-unused\n\n✖ 12 problems (10 errors, 2 warnings)\n', 10, 2],
    ['ESLint, one', '✖ 1 problem (1 error, 0 warnings)', 1, 0],
    ['Biome', 'Checked 3 files in 9ms.\nFound 2 errors.\nFound 1 warning.', 2, 1],
    ['Biome, warnings only', 'Checked 3 files in 9ms.\nFound 4 warnings.', 0, 4],
    ['Ruff', 'a.py:1:8: F401 `os` imported but unused\nFound 1 error.\n[*] 1 fixable', 1, 0],
    ['Ruff, clean', 'All checks passed!', 0, 0],
    ['mypy', 'a.py:2: error: Incompatible types\nFound 1 error in 1 file (checked 2 source files)', 1, 0],
    ['mypy, clean', 'Success: no issues found in 2 source files', 0, 0],
    ['Pyright', '/p/a.py\n  3 errors here\n3 errors, 1 warning, 0 informations ', 3, 1],
    ['tsc', "a.ts(1,7): error TS2322: Type 'x'.\nb.ts(2,1): error TS1005: ';' expected.", 2, 0],
    ['tsc, pretty', 'a.ts:1:7 - error TS2322: no\n\nFound 7 errors in 2 files.', 7, 0],
    ['gcc style', 'a.c:1:2: error: no\na.c:3:4: warning: hm', 1, 1],
    ['go vet', './main.go:5:2: unreachable code', 1, 0],
  ])('reads %s', (_, output, errors, warnings) => {
    expect(countProblems(output)).toEqual({ errors, warnings });
  });

  it.each(['', 'something went wrong', 'Error: Cannot find module'])('cannot tell from %j', output => {
    expect(countProblems(output)).toBeNull();
  });

  it('counts no lines where the first ones are missing, but believes a last word', () => {
    expect(countProblems('./main.go:5:2: unreachable code', false)).toBeNull();
    expect(countProblems('a.py:1:8: F401\nFound 90 errors.', false)).toEqual({ errors: 90, warnings: 0 });
  });

  it('believes the last word, not one quoted before it', () => {
    expect(countProblems('✖ 0 problems (0 errors, 0 warnings)\n✖ 3 problems (3 errors, 0 warnings)')).toEqual(
      { errors: 3, warnings: 0 },
    );
  });
});

describe('isWorse', () => {
  const count = fc.record({ errors: fc.nat(99), warnings: fc.nat(99) });

  it('is never true both ways, nor of the same', () => {
    fc.assert(fc.property(count, count, (a, b) => !(isWorse(a, b) && isWorse(b, a)) && !isWorse(a, a)));
  });

  it('is true of anything with one more error', () => {
    fc.assert(
      fc.property(count, fc.nat(99), (a, warnings) => isWorse(a, { errors: a.errors + 1, warnings })),
    );
  });
});

describe('getNewLines', () => {
  it('names what is new, wherever the old has moved to', () => {
    const before = 'a.ts(1,7): error TS1: x\nb.ts(2,1): error TS2: y';
    const after = 'a.ts(9,7): error TS1: x\nb.ts(3,1): error TS2: y\nb.ts(4,1): error TS3: z';
    expect(getNewLines(before, after)).toEqual(['b.ts(4,1): error TS3: z']);
  });

  it('names the second of two that look alike', () => {
    expect(getNewLines('a.ts(1,7): no', 'a.ts(1,7): no\na.ts(8,7): no')).toEqual(['a.ts(8,7): no']);
  });

  it('finds nothing new in the same', () => {
    fc.assert(fc.property(fc.string(), text => getNewLines(text, text).length === 0));
  });
});
