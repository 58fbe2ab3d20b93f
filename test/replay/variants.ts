import type { Edits } from '../honest/project.ts';

/** What the source was and what the commit made of it, by path; a missing text is a file that is not there. */
export interface Work {
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
}

export const BREAKS = ['left out', 'halved', 'flipped'] as const;
export type Break = (typeof BREAKS)[number];

/** The change, or one that is broken in some way; null where it cannot be broken so. */
export function getWork(work: Work, how: Break | 'whole'): Edits | null {
  switch (how) {
    case 'whole':
      return getEditsTo(work, work.after);
    case 'left out':
      // A word that changes nothing: work has to be there to be judged.
      return { write: { 'NOTES.replay.txt': 'Nothing was done.\n' }, remove: [] };
    case 'halved':
      return getHalved(work);
    case 'flipped':
      return getFlipped(work);
  }
}

function getEditsTo({ before, after }: Work, texts: ReadonlyMap<string, string>): Edits {
  return {
    write: Object.fromEntries(texts),
    remove: [...before.keys()].filter(path => !after.has(path)),
  };
}

/** Every second hunk of the change, counted over all files. */
function getHalved(work: Work): Edits | null {
  let count = 0;
  const texts = new Map(
    [...work.after].map(([path, after]) => {
      const [next, seen] = takeHunks(work.before.get(path) ?? '', after, at => (count + at) % 2 === 0);
      count += seen;
      return [path, next];
    }),
  );
  return count < 2 ? null : getEditsTo(work, texts);
}

/** The text with some hunks of the change, and how many there are. */
export function takeHunks(
  before: string,
  after: string,
  isTaken: (at: number) => boolean,
): readonly [text: string, hunks: number] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const matches = getCommonLines(a, b);
  const out: string[] = [];
  let [i, j, hunks] = [0, 0, 0];
  for (const [x, y] of [...matches, [a.length, b.length] as const]) {
    if (i < x || j < y) {
      out.push(...(isTaken(hunks) ? b.slice(j, y) : a.slice(i, x)));
      hunks += 1;
    }
    if (x < a.length) out.push(a[x] as string);
    [i, j] = [x + 1, y + 1];
  }
  return [out.join('\n'), hunks];
}

/** Pairs of equal lines, in order: a longest common subsequence between what both ends share. */
function getCommonLines(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [m, n] = [a.length - start - end, b.length - start - end];
  const longest = Array.from({ length: m + 1 }, () => new Uint32Array(n + 1));
  const at = (i: number, j: number): number => longest[i]?.[j] ?? 0;
  for (let i = m - 1; i >= 0; i -= 1)
    for (let j = n - 1; j >= 0; j -= 1) {
      const isSame = a[start + i] === b[start + j];
      (longest[i] as Uint32Array)[j] = isSame ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const pairs: (readonly [number, number])[] = Array.from({ length: start }, (_, i) => [i, i]);
  for (let [i, j] = [0, 0]; i < m && j < n; ) {
    if (a[start + i] === b[start + j]) pairs.push([start + i++, start + j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  for (let k = end; k > 0; k -= 1) pairs.push([a.length - k, b.length - k]);
  return pairs;
}

const FLIPS: readonly (readonly [RegExp, string])[] = [
  [/===/, '!=='],
  [/!==/, '==='],
  [/==/, '!='],
  [/!=/, '=='],
  [/&&/, '||'],
  [/\|\|/, '&&'],
  [/ <= /, ' > '],
  [/ >= /, ' < '],
  [/ < /, ' >= '],
  [/(?<![-=]) > /, ' <= '],
  [/ \+ /, ' - '],
  [/\bis not None\b/, 'is None'],
  [/\bis None\b/, 'is not None'],
  [/\bnot in\b/, 'in'],
  [/\bif not\b/, 'if'],
  [/\btrue\b/, 'false'],
  [/\bTrue\b/, 'False'],
];
const PROGRAM = /\.([cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs)$/;

/** The whole change with one operator of a new line turned around. */
function getFlipped(work: Work): Edits | null {
  for (const [path, after] of work.after) {
    if (!PROGRAM.test(path)) continue;
    const known = new Set((work.before.get(path) ?? '').split('\n'));
    const lines = after.split('\n');
    for (const [at, line] of lines.entries()) {
      if (known.has(line) || /^\s*(\/\/|#|\*|\/\*|"""|import\b|from\b|use\b)/.test(line)) continue;
      const flip = FLIPS.find(([pattern]) => pattern.test(line));
      if (!flip) continue;
      const text = lines.with?.(at, line.replace(...flip)) ?? lines;
      return getEditsTo(work, new Map([...work.after, [path, text.join('\n')]]));
    }
  }
  return null;
}
