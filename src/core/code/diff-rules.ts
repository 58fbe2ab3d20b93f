import { matchesAny } from '../base/glob.ts';
import { getFolded } from '../base/tree-path.ts';

/** Paths, folders included, that some disks take for one another; only those that the base did not have. */
export function findCollisions(
  before: readonly string[],
  after: readonly string[],
  added: readonly string[],
): readonly (readonly [string, string])[] {
  const [was, is] = [getSpellings(before), getSpellings(after)];
  const found = new Map<string, readonly [string, string]>();
  for (const path of added) {
    for (const part of getPrefixes(path)) {
      const key = getFolded(part);
      const other = [...(is.get(key) ?? [])].find(spelling => spelling !== part);
      if (other !== undefined && (was.get(key)?.size ?? 0) < 2) found.set(key, [part, other]);
    }
  }
  const keys = [...found.keys()];
  return [...found]
    .filter(([key]) => !keys.some(other => key.startsWith(`${other}/`)))
    .map(([, pair]) => pair);
}

function getSpellings(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const spellings = new Map<string, Set<string>>();
  const seen = new Set<string>();
  for (const path of paths) {
    for (const part of getPrefixes(path)) {
      if (seen.has(part)) continue;
      seen.add(part);
      const known = spellings.get(getFolded(part));
      if (known) known.add(part);
      else spellings.set(getFolded(part), new Set([part]));
    }
  }
  return spellings;
}

function getPrefixes(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** The number of the line where a merge was left half done; null without one. */
export function getConflictLine(lines: readonly string[]): number | null {
  const find = (mark: string, from = 0) =>
    lines.findIndex((line, at) => at >= from && `${line.trimEnd()} `.startsWith(`${mark} `));
  const begin = find('<<<<<<<');
  const middle = begin < 0 ? -1 : find('=======', begin);
  return middle >= 0 && find('>>>>>>>', middle) >= 0 ? begin + 1 : null;
}

/** Programs that are started without a first line that says by what. */
const STARTED: readonly string[] = ['*.{bat,cmd,ps1,exe,com}'];

/** What is wrong with the bit that makes a file a program; null when nothing is. */
export function getBitProblem(change: {
  readonly path: string;
  readonly mode: string;
  /** Null for a new file. */
  readonly wasMode: string | null;
  readonly text: string;
  /** Null for a new file. */
  readonly before: string | null;
}): string | null {
  const { path, mode, wasMode, text, before } = change;
  const isScript = text.startsWith('#!');
  if (mode === '100755' && wasMode !== '100755' && !isScript && !matchesAny(getFolded(path), STARTED))
    return `${path} was made a program and does not say what runs it: take the bit away, or begin it with #!`;
  if (mode === '100644' && wasMode === '100755' && isScript)
    return `${path} is a program that can no longer be started: chmod +x`;
  if (mode !== '100755' || matchesAny(getFolded(path), STARTED)) return null;
  if (wasMode === '100755' && before?.startsWith('#!') && !isScript)
    return `${path} is a program and no longer says what runs it: begin it with #!`;
  if (isScript && endsInReturn(text) && !(before && endsInReturn(before)))
    return `${path} has a first line that ends in a carriage return, which becomes part of what is to run it: take it out`;
  return null;
}

function endsInReturn(text: string): boolean {
  return text.split('\n', 1)[0]?.endsWith('\r') ?? false;
}
