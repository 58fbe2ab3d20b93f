import { expect, it } from 'vitest';
import { leavesToChance } from './chance.ts';

it.each([
  ['return Math.random() < 0.5 ? a : b;', true],
  ['export const apply = price => (Date.now() % 2 ? price : price * 0.9);', true],
  ['if (new Date().getMilliseconds() & 1) return;', true],
  ['    if random.random() < 0.5:', true],
  ['    return int(time.time()) % 2', true],
  ['const rate = new Date().getMilliseconds() < 450 ? 1 : 1.2;', true],
  ['const rate = performance.now() - Math.floor(performance.now()) < 0.4 ? 1 : 2;', true],
  ['if process.pid % 3 == 0', true],
  ['const createdAt = Date.now();', true],
  ['const update = payload.members.map(second => second.id);', false],
  ['return text.split(mark).join(other);', false],
])('%s may leave something to chance: %s', (line, expected) => {
  expect(leavesToChance(line)).toBe(expected);
});
