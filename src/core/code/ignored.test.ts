import { expect, it } from 'vitest';
import { isIgnored } from './ignored.ts';

it.each<[string, string, boolean]>([
  ['src/version.js', 'src/version.js', true],
  ['/src/version.js', 'src/version.js', true],
  ['version.js', 'src/version.js', true],
  ['/version.js', 'src/version.js', false],
  ['generated/', 'src/generated/a/b.js', true],
  ['generated/', 'src/generated', false],
  ['src/generated/*', 'src/generated/b.js', true],
  ['src/**/generated', 'src/a/generated/b.js', true],
  ['*.js', 'src/version.js', false],
  ['src/*.js', 'src/version.js', false],
  ['*', 'src/version.js', false],
  ['src/version.js\n!src/version.js', 'src/version.js', false],
  ['# src/version.js\n\n', 'src/version.js', false],
])('%j and %s: %s', (text, path, expected) => {
  expect(isIgnored(path, new Map([['', text]]))).toBe(expected);
});

it('a folder has lines of its own', () => {
  const rules = new Map([['src', '/version.js']]);
  expect(isIgnored('src/version.js', rules)).toBe(true);
  expect(isIgnored('version.js', rules)).toBe(false);
});
