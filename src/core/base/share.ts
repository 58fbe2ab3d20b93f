/** A share as people write it: 0.25, or 25 of 100. */
export function getShare(given: number): number {
  return given > 1 ? given / 100 : given;
}
