import { describe, expect, it } from 'vitest';
import type { Files } from '../../../test/support/bench.ts';
import { check } from '../../../test/support/surface-case.ts';

const STAR = {
  'lib/package.json': JSON.stringify({
    name: 'lib',
    exports: { './*': { import: './src/*.js' }, './inner/*': null },
  }),
  'lib/src/csv.js': 'export const a = 1;\n',
  'lib/src/rows.js': 'export const a = 1;\n',
  'lib/src/inner/x.js': 'export const a = 1;\n',
};

const SPACE = {
  'package.json': '{ "private": true, "workspaces": ["packages/*"] }',
  'packages/a/package.json': '{ "name": "@shop/a", "private": true }',
  'packages/a/index.js': 'export const a = 1;\n',
  'packages/b/package.json': '{ "name": "@shop/b", "dependencies": { "@shop/a": "*" } }',
  'packages/b/index.js': "export { a } from '@shop/a';\n",
};
const NO_A = { 'packages/a/package.json': null, 'packages/a/index.js': null };
const NO_B = { 'packages/b/package.json': null, 'packages/b/index.js': null };

const FOUND: readonly [string, string, string, Readonly<Record<string, string | null>>, Files][] = [
  [
    'a target behind a star',
    'needs-human',
    'exports ./csv import of lib was lib/src/csv.js',
    { 'lib/src/csv.js': null },
    STAR,
  ],
  ['every package', 'failed', 'no package is left there', { ...NO_A, ...NO_B }, SPACE],
  ['a package that a manifest names', 'failed', 'packages/b/package.json names it', NO_A, SPACE],
  [
    'a package that code imports',
    'failed',
    'packages/b/index.js names it',
    NO_A,
    { ...SPACE, 'packages/b/package.json': '{ "name": "@shop/b" }' },
  ],
  ['a package that others could have', 'needs-human', 'the package @shop/b', NO_B, SPACE],
];

const FINE: readonly [string, Readonly<Record<string, string | null>>, Files][] = [
  [
    'a package that nobody uses',
    {
      ...NO_A,
      'packages/b/package.json': '{ "name": "@shop/b" }',
      'packages/b/index.js': 'export const a = 1;\n',
    },
    SPACE,
  ],
  [
    'a package that moved',
    {
      ...NO_A,
      'libs/a/package.json': SPACE['packages/a/package.json'],
      'libs/a/index.js': SPACE['packages/a/index.js'],
      'package.json': '{ "private": true, "workspaces": ["packages/*", "libs/*"] }',
    },
    SPACE,
  ],
  [
    'a package that comes from elsewhere now',
    { ...NO_A, 'packages/b/package.json': '{ "name": "@shop/b", "dependencies": { "@shop/a": "^1.0.0" } }' },
    SPACE,
  ],
  ['what a star does not offer', { 'lib/src/inner/x.js': null }, STAR],
  [
    'what moved and is offered by its name',
    {
      'lib/src/csv.js': null,
      'lib/out/csv.js': 'export const a = 1;\n',
      'lib/package.json': STAR['lib/package.json'].replace(
        '"exports":{',
        '"exports":{"./csv":{"import":"./out/csv.js"},',
      ),
    },
    STAR,
  ],
  [
    'other names behind a star',
    { 'lib/src/csv.js': 'export const b = 1;\n', 'lib/src/new.js': 'export const c = 1;\n' },
    STAR,
  ],
];

describe('what packages offer', () => {
  it.each(FOUND)('%s that is gone: %s', async (_, status, text, change, was) => {
    expect(await check(change, was)).toMatchObject({ status, summary: expect.stringContaining(text) });
  });

  it.each(FINE)('lets %s be', async (_, change, was) => {
    expect(await check(change, was)).toMatchObject({ status: expect.stringMatching(/passed|warned/) });
  });
});
