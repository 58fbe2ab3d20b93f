import { parseJs } from './js-tree.ts';

/** Whether two texts say the same to a machine: places, comments, brackets and quotes aside. */
export function isSameJs(path: string, before: string, after: string): boolean {
  const [was, is] = [parseJs(path, before), parseJs(path, after)];
  if (!was || !is || was.errors > 0 || is.errors > 0) return false;
  return getMeaning(was.root) === getMeaning(is.root);
}

const LAYOUT = new Set([
  ...['start', 'end', 'loc', 'range', 'extra', 'errors', 'tokens'],
  ...['comments', 'leadingComments', 'trailingComments', 'innerComments'],
]);

function getMeaning(root: unknown): string {
  return JSON.stringify(root, (key, value) => {
    if (LAYOUT.has(key)) return undefined;
    return typeof value === 'bigint' || value instanceof RegExp ? String(value) : value;
  });
}
