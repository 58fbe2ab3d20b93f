import type { State } from '../../core/state.ts';
import { getJsonFile } from './format.ts';

/** `file_sizes.json`: how long each file is and since when it has been there; null before the first measure. */
export function getFileSizes({ sessions, fileSizes }: State): string | null {
  if (fileSizes.size === 0) return null;
  const paths = [...fileSizes].sort(([a], [b]) => (a < b ? -1 : 1));
  const files = paths.map(([path, { lines, sessionAdded }]) => [
    path,
    { lines, session_added: sessionAdded },
  ]);
  return getJsonFile({ session: sessions, files: Object.fromEntries(files) });
}
