import { describe, expect, it } from 'vitest';
import type { Files } from '../../test/support/bench.ts';
import { check } from '../../test/support/surface-case.ts';

const STAR = {
  'lib/package.json': JSON.stringify({
    name: 'lib',
    exports: { './*': { import: './src/*.js' }, './inner/*': null },
  }),
  'lib/src/csv.js': 'export const a = 1;\n',
  'lib/src/rows.js': 'export const a = 1;\n',
  'lib/src/inner/x.js': 'export const a = 1;\n',
};

const FOUND: readonly [string, string, string, Readonly<Record<string, string | null>>, Files][] = [
  [
    'a target behind a star',
    'needs-human',
    'exports ./csv import of lib was lib/src/csv.js',
    { 'lib/src/csv.js': null },
    STAR,
  ],
];

const FINE: readonly [string, Readonly<Record<string, string | null>>, Files][] = [
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
