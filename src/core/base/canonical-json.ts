/** One spelling for one value, whoever writes it: keys sorted, no spaces. What hashes are taken of. */
export function getCanonicalJson(value: unknown): string {
  return JSON.stringify(getSorted(value));
}

/** The same value with the keys of all its objects in order. */
export function getSorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(getSorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, child]) => [key, getSorted(child)]));
}
