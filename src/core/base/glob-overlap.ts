import { arePaired, getRooted } from './glob.ts';

/** Whether there can be a path that a glob of one list and a glob of the other both match. */
export function haveCommonPath(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [one, other].map(globs => globs.flatMap(glob => expandBraces(getRooted(glob))));
  return (left ?? []).some(a => (right ?? []).some(b => canMeet(getSteps(a), getSteps(b))));
}

/** One glob for every choice that its braces leave. */
function expandBraces(glob: string): string[] {
  const inner = arePaired(glob) ? /\{([^{}]*)\}/.exec(glob) : null;
  if (inner === null) return [glob];
  const [before, after] = [glob.slice(0, inner.index), glob.slice(inner.index + inner[0].length)];
  return (inner[1] ?? '').split(',').flatMap(choice => expandBraces(`${before}${choice}${after}`));
}

/** What one step of a glob takes: a character of its own, any but a slash, or any. */
type Taken = string | 'name' | 'any';

/** How to get on from a place in a glob: what is taken, and how many steps further that leads. */
type Step = readonly { readonly takes: Taken | null; readonly by: 0 | 1 }[];

const FOLDERS: Step = [
  { takes: null, by: 1 },
  { takes: 'any', by: 0 },
  { takes: '/', by: 1 },
];

function getSteps(glob: string): Step[] {
  const repeat = (takes: Taken): Step => [
    { takes: null, by: 1 },
    { takes, by: 0 },
  ];
  return (glob.match(/\*\*\/|\*\*|[\s\S]/g) ?? []).map(text => {
    if (text === '**/') return FOLDERS;
    if (text === '**') return repeat('any');
    if (text === '*') return repeat('name');
    return [{ takes: text === '?' ? 'name' : text, by: 1 }];
  });
}

/** Walks both globs at once, over every pair of places that one and the same text can lead to. */
function canMeet(one: readonly Step[], other: readonly Step[]): boolean {
  const seen = new Set<number>();
  const open: (readonly [number, number])[] = [[0, 0]];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const [i, j] = place;
    const key = i * (other.length + 1) + j;
    if (seen.has(key)) continue;
    seen.add(key);
    if (i === one.length && j === other.length) return true;
    const [mine, theirs] = [one[i] ?? [], other[j] ?? []];
    for (const { takes } of mine) if (takes === null) open.push([i + 1, j]);
    for (const { takes } of theirs) if (takes === null) open.push([i, j + 1]);
    for (const a of mine)
      for (const b of theirs) if (canBoth(a.takes, b.takes)) open.push([i + a.by, j + b.by]);
  }
  return false;
}

function canBoth(a: Taken | null, b: Taken | null): boolean {
  if (a === null || b === null) return false;
  if (a === 'any' || b === 'any' || a === b) return true;
  return (a === 'name' && b !== '/') || (b === 'name' && a !== '/');
}
