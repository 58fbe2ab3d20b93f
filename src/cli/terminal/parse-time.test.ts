import { expect, it } from 'vitest';
import { getDurationMs, getMomentMs, getTimeMs } from './parse-time.ts';

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

it.each<[string, number]>([
  ['30m', 30 * 60_000],
  ['8h', 8 * 3_600_000],
  ['1.5h', 5_400_000],
])('%s lasts %i ms', (text, ms) => {
  expect(getDurationMs(text, '--for')).toBe(ms);
});

it.each(['', '8', '0h', '-1h', 'long'])('"%s" is no length of time', text => {
  expect(() => getDurationMs(text, '--for')).toThrow(/--for/);
});

it('a time of day is the next one', () => {
  const at = (text: string) => new Date(getMomentMs(text, NOW_MS, '--until'));
  for (const text of ['00:00', '07:30', '12:00', '23:59']) {
    expect(at(text).getTime()).toBeGreaterThan(NOW_MS);
    expect(at(text).getTime() - NOW_MS).toBeLessThanOrEqual(25 * 3_600_000);
    expect(at(text).toTimeString().slice(0, 5)).toBe(text);
  }
  expect(getMomentMs('2026-03-11T07:00:00Z', NOW_MS, '--until')).toBe(Date.parse('2026-03-11T07:00:00Z'));
});

it.each(['', 'tomorrow', '25:00', '2026-03-10T11:00:00Z', '8h'])('"%s" is no time to come', text => {
  expect(() => getMomentMs(text, NOW_MS, '--until')).toThrow(/--until/);
});
