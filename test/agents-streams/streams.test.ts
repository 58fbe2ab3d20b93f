import { expect, test } from 'vitest';
import { fuzzStreams } from './fuzz.ts';
import { plainSdk } from './plain-sdk.ts';

test('500 malformed streams break nothing and are not taken for a claim', async () => {
  const { crashes, claims, missed } = await fuzzStreams(plainSdk, 1, 500);
  expect(crashes).toEqual([]);
  expect(claims).toEqual([]);
  expect(missed).toBe(0);
});
