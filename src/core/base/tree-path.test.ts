import { describe, expect, it } from 'vitest';
import { findMeantPath } from './tree-path.ts';

const KNOWN = ['test/tax.test.js', 'src/alpha/index.test.js', 'lib1/a.test.js', 'spec/a/b.js'];

describe('a path that was meant', () => {
  it.each([
    ['tset/tax.test.js', 'test/tax.test.js'],
    ['tests/tax.test.js', 'test/tax.test.js'],
    ['tst/tax.test.js', 'test/tax.test.js'],
    ['src/alhpa/index.test.js', 'src/alpha/index.test.js'],
  ])('%s is %s', (typed, meant) => expect(findMeantPath(typed, KNOWN)).toBe(meant));

  it.each([
    ['a file that is still to be written', 'test/cart.test.js'],
    ['a file of nearly the same name', 'test/taxi.test.js'],
    ['a new folder beside others', 'src/beta/index.test.js'],
    ['the next of a series', 'lib2/a.test.js'],
    ['a short name that may be another', 'spec/b/b.js'],
    ['nothing like it', 'e2e/tax.test.js'],
  ])('is none for %s', (_, typed) => expect(findMeantPath(typed, KNOWN)).toBeNull());
});
