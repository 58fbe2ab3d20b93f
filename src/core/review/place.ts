/** A quote that is shorter could stand anywhere. */
const MIN_QUOTE_CHARS = 10;
/** So far from the line that was named, it is still that place. */
const NEAR_LINES = 20;

/**
 * The line (from 1) at which the words of a finding stand: near the one that was named, or the only other place that
 * has them. Null where they are nowhere, or at more places than one could choose from.
 */
export function findPlace(text: string, line: number | null, quote: string): number | null {
  const wanted = fold(quote);
  if (wanted.length < MIN_QUOTE_CHARS) return null;
  const lines = text.split('\n');
  const found = lines.flatMap((_, at) => (startsAt(lines, at, wanted) ? [at + 1] : []));
  const distance = (at: number): number => Math.abs(at - (line ?? at));
  const near = line === null ? [] : found.filter(at => distance(at) <= NEAR_LINES);
  if (near.length > 0) return near.reduce((best, at) => (distance(at) < distance(best) ? at : best));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Whether a text has the words somewhere. */
export function hasWords(text: string, quote: string): boolean {
  const wanted = fold(quote);
  return wanted.length >= MIN_QUOTE_CHARS && fold(text).includes(wanted);
}

/** Whether the words begin on this very line, however the lines are broken. */
function startsAt(lines: readonly string[], at: number, wanted: string): boolean {
  const first = fold(lines[at] ?? '');
  if (first.includes(wanted)) return true;
  const rest = fold(lines.slice(at, at + 1 + wanted.length).join('\n')).indexOf(wanted);
  return rest !== -1 && rest < first.length;
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
