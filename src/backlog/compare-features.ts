import { isDeepStrictEqual } from 'node:util';
import { parseRoot } from './parse-features.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An agent may write down when it touched the file; nothing is decided by that. */
const FREE_FIELDS = new Set(['features', 'last_updated']);

/** What an agent changed: the features it claims, and a sentence for everything it had no right to. */
export function compareFeatures(
  before: string,
  after: string,
  fileName: string,
): { readonly claims: readonly string[]; readonly problems: readonly string[] } {
  try {
    const [old, now] = [parseRoot(before, fileName), parseRoot(after, fileName)];
    const problems = getChangedKeys(old, now)
      .filter(key => !FREE_FIELDS.has(key))
      .map(key => `the field ${key} of ${fileName} was changed`);
    if (!Array.isArray(now.features)) {
      return { claims: [], problems: [...problems, `${fileName} no longer has a list of features`] };
    }
    const [oldById, nowById] = [getById(old.features), getById(now.features)];
    problems.push(...getListProblems(oldById, nowById, now.features));
    const claims: string[] = [];
    for (const [id, feature] of oldById) {
      const other = nowById.get(id);
      if (other) problems.push(...getFeatureProblems(id, feature, other, claims));
    }
    return { claims, problems };
  } catch (error) {
    return { claims: [], problems: [`${fileName} can no longer be read: ${(error as Error).message}`] };
  }
}

function getById(features: unknown): ReadonlyMap<string, Fields> {
  const byId = new Map<string, Fields>();
  for (const feature of Array.isArray(features) ? features : []) {
    const id = getId(feature);
    if (id !== null && !byId.has(id)) byId.set(id, feature);
  }
  return byId;
}

function getId(feature: unknown): string | null {
  const id = (feature as Fields | null)?.id;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}

function getListProblems(
  old: ReadonlyMap<string, Fields>,
  now: ReadonlyMap<string, Fields>,
  list: readonly unknown[],
): string[] {
  const problems: string[] = [];
  for (const id of old.keys()) if (!now.has(id)) problems.push(`feature ${id} was removed`);
  for (const id of now.keys()) if (!old.has(id)) problems.push(`feature ${id} was added`);
  const seen = new Set<string>();
  for (const [i, feature] of list.entries()) {
    const id = getId(feature);
    if (id === null) problems.push(`features[${i}] is not a feature with an id`);
    else if (seen.has(id)) problems.push(`feature ${id} is listed twice`);
    else seen.add(id);
  }
  const [wasOrder, isOrder] = [
    [...old.keys()].filter(id => now.has(id)),
    [...now.keys()].filter(id => old.has(id)),
  ];
  const moved = isOrder.findIndex((id, i) => id !== wasOrder[i]);
  if (moved !== -1) {
    problems.push(
      `features were re-ordered: feature ${isOrder[moved]} stands where feature ${wasOrder[moved]} was`,
    );
  }
  return problems;
}

function getFeatureProblems(id: string, old: Fields, now: Fields, claims: string[]): string[] {
  const problems = getChangedKeys(old, now)
    .filter(key => key !== 'passes')
    .map(key => `feature ${id}: the field ${key} was ${getVerb(old, now, key)}`);
  const [had, has] = [old.passes ?? false, now.passes ?? false];
  if (typeof has !== 'boolean') problems.push(`feature ${id}: the field passes is neither true nor false`);
  else if (!had && has) claims.push(id);
  else if (had && !has) problems.push(`feature ${id}: the field passes was taken back from true to false`);
  return problems;
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
