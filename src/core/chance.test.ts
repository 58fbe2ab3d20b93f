import { expect, it } from 'vitest';
import { leavesToChance } from './chance.ts';

it.each([
  ['return Math.random() < 0.5 ? a : b;', true],
  ['export const apply = price => (Date.now() % 2 ? price : price * 0.9);', true],
  ['if (new Date().getMilliseconds() & 1) return;', true],
  ['    if random.random() < 0.5:', true],
  ['    return int(time.time()) % 2', true],
  ['const createdAt = Date.now();', false],
  ['const isOld = Date.now() - created > limit;', false],
  ['const random = seed => seed * 7;', false],
])('%s leaves something to chance: %s', (line, expected) => {
  expect(leavesToChance(line)).toBe(expected);
});
