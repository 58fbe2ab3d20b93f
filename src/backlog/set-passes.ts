import { HarnessError } from '../core/failure.ts';
import { getElements, getMember, getMembers, getRootStart, type Member, type Span } from './json-spans.ts';
import { parseRoot } from './parse-features.ts';

/**
 * The same text with one feature's `passes` changed and every other byte as it was: a person's
 * formatting survives, and the diff of a landing shows one line.
 */
export function setPasses(text: string, id: string, passes: boolean, fileName: string): string {
  const members = findFeature(text, id, fileName);
  if (members === null) {
    throw new HarnessError('backlog', `feature ${id} is not in ${fileName}`, {
      file: fileName,
      fix: `Add a feature with the id ${id}, or name one that is there.`,
    });
  }
  const flag = getMember(members, 'passes');
  if (flag) return splice(text, flag.value.start, flag.value.end, String(passes));
  return insertFlag(text, members, passes);
}

/** JSON.parse says which feature it is, the scanner where it stands. */
function findFeature(text: string, id: string, fileName: string): readonly Member[] | null {
  const { features } = parseRoot(text, fileName);
  const index = Array.isArray(features) ? features.findIndex(feature => hasId(feature, id)) : -1;
  if (index === -1) return null;
  const list = getMember(getMembers(text, getRootStart(text)), 'features') as Member;
  return getMembers(text, (getElements(text, list.value.start)[index] as Span).start);
}

function hasId(feature: unknown, id: string): boolean {
  const own = (feature as { id?: unknown } | null)?.id;
  return (typeof own === 'string' || typeof own === 'number') && String(own) === id;
}

/** Writes the flag as the last member, spaced as the one before it is. */
function insertFlag(text: string, members: readonly Member[], passes: boolean): string {
  const last = members.at(-1) as Member;
  const before = members.at(-2);
  const between = before
    ? text.slice(text.indexOf(',', before.value.end) + 1, last.keySpan.start)
    : text.slice(text.lastIndexOf('{', last.keySpan.start) + 1, last.keySpan.start);
  const colon = text.slice(last.keySpan.end, last.value.start);
  return splice(text, last.value.end, last.value.end, `,${between}"passes"${colon}${passes}`);
}

function splice(text: string, start: number, end: number, part: string): string {
  return text.slice(0, start) + part + text.slice(end);
}
