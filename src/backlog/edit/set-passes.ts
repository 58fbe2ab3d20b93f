import { HarnessError } from '../../core/base/failure.ts';
import type { Dialect } from '../read/entry-fields.ts';
import { parseRoot } from '../read/parse-tasks.ts';
import { getElements, getMember, getMembers, getRootStart, type Member, type Span } from './json-spans.ts';

/**
 * The same text with one task's flag changed and every other byte as it was: a person's
 * formatting survives, and the diff of a landing shows one line.
 */
export function setPasses(
  text: string,
  { id, passes }: { readonly id: string; readonly passes: boolean },
  dialect: Dialect,
  fileName: string,
): string {
  const { flag, noun } = dialect;
  const members = findEntry(text, id, dialect, fileName);
  if (members === null) {
    throw new HarnessError('backlog', `${noun} ${id} is not in ${fileName}`, {
      file: fileName,
      fix: `Add a ${noun} with the id ${id}, or name one that is there.`,
    });
  }
  const value = JSON.stringify(passes ? flag.done : flag.open);
  const member = getMember(members, flag.key);
  if (member) return splice(text, member.value.start, member.value.end, value);
  return insertFlag(text, members, flag.key, value);
}

/** JSON.parse says which entry it is, the scanner where it stands. */
function findEntry(text: string, id: string, { list }: Dialect, fileName: string): readonly Member[] | null {
  const entries = parseRoot(text, fileName)[list];
  const index = Array.isArray(entries) ? entries.findIndex(entry => hasId(entry, id)) : -1;
  if (index === -1) return null;
  const member = getMember(getMembers(text, getRootStart(text)), list) as Member;
  return getMembers(text, (getElements(text, member.value.start)[index] as Span).start);
}

function hasId(entry: unknown, id: string): boolean {
  const own = (entry as { id?: unknown } | null)?.id;
  return (typeof own === 'string' || typeof own === 'number') && String(own) === id;
}

/** Writes the flag as the last member, spaced as the one before it is. */
function insertFlag(text: string, members: readonly Member[], key: string, value: string): string {
  const last = members.at(-1) as Member;
  const before = members.at(-2);
  const between = before
    ? text.slice(text.indexOf(',', before.value.end) + 1, last.keySpan.start)
    : text.slice(text.lastIndexOf('{', last.keySpan.start) + 1, last.keySpan.start);
  const colon = text.slice(last.keySpan.end, last.value.start);
  return splice(text, last.value.end, last.value.end, `,${between}"${key}"${colon}${value}`);
}

function splice(text: string, start: number, end: number, part: string): string {
  return text.slice(0, start) + part + text.slice(end);
}
