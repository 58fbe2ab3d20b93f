/** A path as a disk may see it that ignores capitals and the way accents are written. */
export function getFolded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
