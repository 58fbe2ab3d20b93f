/** Files that are read side by side: waiting for each alone is most of the time, and all at once most of the memory. */
const AT_ONCE = 64;

/** The same for every item, some at a time; the answers are in order. */
export async function mapMany<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  return results;
}
