import { describe, expect, it } from 'vitest';
import type { Files } from '../../test/support/bench.ts';
import { check } from '../../test/support/surface-case.ts';

const STRICT = '{ "a": 1 }\n';
const LOOSE = '{ // why\n "a": 1, }\n';

describe('syntax', () => {
  it.each<[string, string, Readonly<Record<string, string | null>>, Files?]>([
    [
      'JSON with a comma too many',
      'strict JSON',
      { 'data/x.json': '{ "a": 2, }\n' },
      { 'data/x.json': STRICT },
    ],
    ['JSON with comments', 'strict JSON', { 'data/x.json': LOOSE }, { 'data/x.json': STRICT }],
    ['new JSON that is loose', 'strict JSON', { 'data/x.json': LOOSE }, { 'tools/y.json': LOOSE }],
  ])('refuses %s', async (_, text, change, was) => {
    expect(await check(change, was)).toMatchObject({
      status: 'failed',
      summary: expect.stringContaining(text),
    });
  });

  it.each<[string, Readonly<Record<string, string | null>>, Files?]>([
    ['JSON that was loose', { 'data/x.json': '{ // because\n "a": 2, }\n' }, { 'data/x.json': LOOSE }],
    ['new JSON beside loose JSON', { 'data/x.json': LOOSE }, { 'data/y.json': LOOSE }],
    ['new JSON called like loose JSON', { 'b/.rc.json': LOOSE }, { 'a/.rc.json': LOOSE }],
    ['settings whose reader takes comments', { 'tsconfig.json': LOOSE, '.vscode/settings.json': LOOSE }],
    ['JSON that is mended by half', { 'data/x.json': LOOSE }, { 'data/x.json': '{ "a": 1,, }\n' }],
    ['strict JSON', { 'data/x.json': '{ "a": [1, 2] }\n' }, { 'data/x.json': STRICT }],
  ])('takes %s', async (_, change, was) => {
    expect(await check(change, was)).toMatchObject({ status: expect.stringMatching(/passed|warned/) });
  });
});
