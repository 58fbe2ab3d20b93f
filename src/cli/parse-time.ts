import { HarnessError } from '../core/failure.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** A moment as people write it: `2h` (ago), `2026-01-31`, `2026-01-31T10:00`. */
export function getTimeMs(text: string, nowMs: number, field: string): number {
  const ago = /^(\d+(?:\.\d+)?)\s*([smhdw])$/.exec(text.trim());
  if (ago) return nowMs - Number(ago[1]) * (UNIT_MS[ago[2] ?? 's'] ?? 0);
  const atMs = /^\d{4}-\d{2}/.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN;
  if (Number.isFinite(atMs)) return atMs;
  throw new HarnessError('usage', `${field}: "${text}" is not a time`, {
    field,
    fix: 'write how long ago (30m, 2h, 3d) or a date (2026-01-31, 2026-01-31T10:00Z)',
  });
}
