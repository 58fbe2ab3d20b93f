import { matchesAny } from './glob.ts';

/** A path as a disk may see it that ignores capitals and the way accents are written. */
export function getFolded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

const folded = new WeakMap<readonly string[], readonly string[]>();

/** Whether a path is, on any disk, one that the globs are there to guard. */
export function matchesFolded(path: string, globs: readonly string[]): boolean {
  const known = folded.get(globs) ?? globs.map(getFolded);
  folded.set(globs, known);
  return matchesAny(getFolded(path), known);
}
