import { getNearest } from '../../core/base/nearest.ts';

/** A field nobody reads is more often a typing error than a note: say so, and go on. */
export function getUnknownFieldWarning(
  fileName: string,
  at: string,
  key: string,
  known: readonly string[],
): string {
  const near = key.length <= 60 ? getNearest(key, known) : null;
  const advice = near ? `did you mean ${near}?` : 'it has no effect';
  return `${fileName}: ${at ? `${at}.` : ''}${key.slice(0, 60)} is not a known field; ${advice}`;
}
