import { HarnessError } from '../../core/base/failure.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const DURATION = /^(\d+(?:\.\d+)?)\s*([smhdw])$/;

/** A moment as people write it: `2h` (ago), `2026-01-31`, `2026-01-31T10:00`. */
export function getTimeMs(text: string, nowMs: number, field: string): number {
  const ago = DURATION.exec(text.trim());
  if (ago) return nowMs - Number(ago[1]) * (UNIT_MS[ago[2] ?? 's'] ?? 0);
  const atMs = /^\d{4}-\d{2}/.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN;
  if (Number.isFinite(atMs)) return atMs;
  throw new HarnessError('usage', `${field}: "${text}" is not a time`, {
    field,
    fix: 'write how long ago (30m, 2h, 3d) or a date (2026-01-31, 2026-01-31T10:00Z)',
  });
}

/** A length of time as people write it: `30m`, `8h`, `1.5h`. */
export function getDurationMs(text: string, field: string): number {
  const found = DURATION.exec(text.trim());
  const ms = found ? Number(found[1]) * (UNIT_MS[found[2] ?? 's'] ?? 0) : 0;
  if (ms > 0) return ms;
  throw new HarnessError('usage', `${field}: "${text}" is not a length of time`, {
    field,
    fix: 'write a number and a unit: 30m, 8h, 2d',
  });
}

/** A moment to come: the next `07:00` by this machine's clock, or a date. */
export function getMomentMs(text: string, nowMs: number, field: string): number {
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  if (clock) {
    const next = new Date(nowMs);
    next.setHours(Number(clock[1]), Number(clock[2]), 0, 0);
    if (next.getTime() <= nowMs) next.setDate(next.getDate() + 1);
    return next.getTime();
  }
  const atMs = /^\d{4}-\d{2}/.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN;
  if (atMs > nowMs) return atMs;
  throw new HarnessError('usage', `${field}: "${text}" is not a time to come`, {
    field,
    fix: 'write a time of day (07:00) or a date (2026-01-31T10:00Z) that is still ahead',
  });
}
