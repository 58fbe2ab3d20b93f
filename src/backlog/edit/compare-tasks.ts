import { isDeepStrictEqual } from 'node:util';
import type { Dialect } from '../read/entry-fields.ts';
import { parseRoot } from '../read/parse-tasks.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What an agent changed: the tasks it claims, and a sentence for everything it had no right to. */
export function compareTasks(
  before: string,
  after: string,
  dialect: Dialect,
  fileName: string,
): { readonly claims: readonly string[]; readonly problems: readonly string[] } {
  const { list, noun } = dialect;
  try {
    const [old, now] = [parseRoot(before, fileName), parseRoot(after, fileName)];
    const problems = getChangedKeys(old, now)
      .filter(key => key !== list && !dialect.freeRootFields.includes(key))
      .map(key => `the field ${key} of ${fileName} was changed`);
    const entries = now[list];
    if (!Array.isArray(entries)) {
      return { claims: [], problems: [...problems, `${fileName} no longer has a list of ${noun}s`] };
    }
    const [oldById, nowById] = [getById(old[list]), getById(entries)];
    problems.push(...getListProblems(oldById, nowById, entries, dialect));
    const claims: string[] = [];
    for (const [id, entry] of oldById) {
      const other = nowById.get(id);
      if (!other) continue;
      if (!isDone(entry, dialect) && isDone(other, dialect)) claims.push(id);
      problems.push(...getEntryProblems(id, entry, other, dialect));
    }
    return { claims, problems };
  } catch (error) {
    return { claims: [], problems: [`${fileName} can no longer be read: ${(error as Error).message}`] };
  }
}

function getById(entries: unknown): ReadonlyMap<string, Fields> {
  const byId = new Map<string, Fields>();
  for (const entry of Array.isArray(entries) ? entries : []) {
    const id = getId(entry);
    if (id !== null && !byId.has(id)) byId.set(id, entry);
  }
  return byId;
}

function getId(entry: unknown): string | null {
  const id = (entry as Fields | null)?.id;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}

function getListProblems(
  old: ReadonlyMap<string, Fields>,
  now: ReadonlyMap<string, Fields>,
  entries: readonly unknown[],
  { list, noun }: Dialect,
): string[] {
  const problems: string[] = [];
  for (const id of old.keys()) if (!now.has(id)) problems.push(`${noun} ${id} was removed`);
  for (const id of now.keys()) if (!old.has(id)) problems.push(`${noun} ${id} was added`);
  const seen = new Set<string>();
  for (const [i, entry] of entries.entries()) {
    const id = getId(entry);
    if (id === null) problems.push(`${list}[${i}] is not a ${noun} with an id`);
    else if (seen.has(id)) problems.push(`${noun} ${id} is listed twice`);
    else seen.add(id);
  }
  const [wasOrder, isOrder] = [
    [...old.keys()].filter(id => now.has(id)),
    [...now.keys()].filter(id => old.has(id)),
  ];
  const moved = isOrder.findIndex((id, i) => id !== wasOrder[i]);
  if (moved !== -1) {
    problems.push(
      `${noun}s were re-ordered: ${noun} ${isOrder[moved]} stands where ${noun} ${wasOrder[moved]} was`,
    );
  }
  return problems;
}

function getEntryProblems(id: string, old: Fields, now: Fields, dialect: Dialect): string[] {
  const { noun, flag, freeFields } = dialect;
  const problems = getChangedKeys(old, now)
    .filter(key => key !== flag.key && !freeFields.includes(key))
    .map(key => `${noun} ${id}: the field ${key} was ${getVerb(old, now, key)}`);
  if (flag.isDone(now[flag.key]) === null)
    problems.push(`${noun} ${id}: the field ${flag.key} says neither done nor open`);
  else if (isDone(old, dialect) && !isDone(now, dialect))
    problems.push(`${noun} ${id}: the field ${flag.key} was taken back`);
  return problems;
}

function isDone(entry: Fields, { flag }: Dialect): boolean {
  return flag.isDone(entry[flag.key]) === true;
}

function getVerb(old: Fields, now: Fields, key: string): string {
  if (!Object.hasOwn(now, key)) return 'removed';
  return Object.hasOwn(old, key) ? 'changed' : 'added';
}

function getChangedKeys(old: Fields, now: Fields): string[] {
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...keys].filter(
    key => Object.hasOwn(old, key) !== Object.hasOwn(now, key) || !isDeepStrictEqual(old[key], now[key]),
  );
}
