import { expect, it } from 'vitest';
import { getTimeMs } from './parse-time.ts';

const NOW_MS = Date.parse('2026-03-10T12:00:00Z');

it.each([
  ['90s', '2026-03-10T11:58:30Z'],
  ['30m', '2026-03-10T11:30:00Z'],
  ['2h', '2026-03-10T10:00:00Z'],
  ['1.5h', '2026-03-10T10:30:00Z'],
  ['3d', '2026-03-07T12:00:00Z'],
  ['1w', '2026-03-03T12:00:00Z'],
  ['2026-03-01', '2026-03-01T00:00:00Z'],
  ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z'],
])('%s is %s', (text, at) => {
  expect(getTimeMs(text, NOW_MS, '--since')).toBe(Date.parse(at));
});

it.each(['', 'yesterday', '5', '3x', '12:00', '2026-99-99'])('"%s" is refused with examples', text => {
  expect(() => getTimeMs(text, NOW_MS, '--since')).toThrow(/--since/);
});
