/**
 * The file that somebody who named a path most likely meant: all but one folder of the path is the same, and that one
 * is not there and nearly so. Names of files are left alone: `user.test.js` and `users.test.js` may both be meant.
 */
export function findMeantPath(path: string, known: readonly string[]): string | null {
  const parts = path.split('/');
  for (let at = 0; at < parts.length - 1; at++) {
    const typed = parts[at] ?? '';
    const before = parts
      .slice(0, at)
      .map(part => `${part}/`)
      .join('');
    if (known.some(other => other.startsWith(`${before}${typed}/`))) continue;
    const after = parts.slice(at + 1).join('/');
    const meant = known.find(other => {
      const folder = other.slice(before.length).split('/')[0] ?? '';
      return other === `${before}${folder}/${after}` && isSlip(typed, folder);
    });
    return meant ?? null;
  }
  return null;
}

/** One letter too many, too few, wrong or out of order; numbers are never slips. */
function isSlip(typed: string, meant: string): boolean {
  if (Math.min(typed.length, meant.length) < MIN_LETTERS) return false;
  if (typed.replace(/\d+/g, '') === meant.replace(/\d+/g, '')) return false;
  let start = 0;
  while (start < typed.length && typed[start] === meant[start]) start++;
  let end = 0;
  const most = Math.min(typed.length, meant.length) - start;
  while (end < most && typed.at(-1 - end) === meant.at(-1 - end)) end++;
  const [a, b] = [typed.slice(start, typed.length - end), meant.slice(start, meant.length - end)];
  return a.length + b.length < 3 || (a.length === 2 && a === [...b].reverse().join(''));
}

const MIN_LETTERS = 3;
