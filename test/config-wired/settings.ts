import { getSettings, type SettingNode } from '../../src/config/explain/json-schema.ts';

/** Every setting of the schema by its path; `<name>` stands for an entry that people name themselves. */
export function listSettings(
  node: SettingNode = getSettings(),
  path: readonly string[] = [],
): readonly string[] {
  const entry = typeof node.additionalProperties === 'object' ? node.additionalProperties : null;
  if (entry?.properties) return [path.join('.'), ...listSettings(entry, [...path, '<name>'])];
  const children = Object.entries(node.properties ?? {});
  if (children.length === 0) return [path.join('.')];
  return children.flatMap(([key, child]) => listSettings(child, [...path, key]));
}

type Tree = Record<string, unknown>;

/** A configuration with further settings over it, section by section. */
export function merge(base: object, more: object): Tree {
  const merged: Tree = { ...base };
  for (const [key, value] of Object.entries(more)) {
    const before = merged[key];
    merged[key] = isTree(before) && isTree(value) ? merge(before, value) : value;
  }
  return merged;
}

/** One setting as a configuration of its own. */
export function nest(setting: string, value: unknown): object {
  return setting
    .split('.')
    .map(key => (key === '<name>' ? 'mine' : key))
    .reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
