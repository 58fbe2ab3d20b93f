import { matchesAny } from './glob.ts';

/** The folder that a path of a tree is in; nothing for the top. */
export function getFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Where a relative path leads from a folder of a tree; never out of it. */
export function joinPath(folder: string, rest: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${rest}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** The last part of a path. */
export function getBaseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** What a file's name ends in after its last dot, in lower case; nothing for a name without one. */
export function getExtension(path: string): string {
  const name = getBaseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** A path without its extension where that is one of these. */
export function getStem(path: string, extensions: ReadonlySet<string>): string {
  const extension = getExtension(path);
  return extensions.has(extension) ? path.slice(0, -extension.length - 1) : path;
}

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
