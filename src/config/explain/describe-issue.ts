import type { z } from 'zod';
import { getBareName, getNearest } from '../../core/base/nearest.ts';
import { ALIASES } from './aliases.ts';
import { findSetting, getSettings, type SettingNode } from './json-schema.ts';
import type { Problem } from './problem.ts';

/** What the schema found wrong, in words that name the field, what was there and what to write. */
export function describeIssue(
  issue: z.core.$ZodIssue,
  found: unknown,
  field = issue.path.join('.'),
): readonly Problem[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => describeUnknownKey(path, key));
  const node = findSetting(path) ?? {};
  const expected = describeExpected(node);
  if (found === undefined) {
    return [{ field, message: 'is required', fix: `Add ${field}: ${expected}.` }];
  }
  const isOwnRule = issue.code === 'invalid_format' || issue.code === 'custom';
  const rule = isOwnRule ? issue.message : `must be ${expected}`;
  const message = `${rule}, but is ${describeFound(found)}`;
  return [{ field, message, fix: getFix(field, node, found, isOwnRule ? issue.message : null) }];
}

/** An unknown key, with the one that was probably meant or the place where it belongs. */
export function describeUnknownKey(path: readonly string[], key: string): Problem {
  const field = [...path, key].join('.');
  const prefix = path.length > 0 ? `${path.join('.')}.` : '';
  const known = Object.keys(findSetting(path)?.properties ?? {});
  const aliases = ALIASES.map(([alias]) => alias).filter(alias => alias.startsWith(prefix));
  const near = getNearest(key, [
    ...known,
    ...aliases.map(alias => alias.slice(prefix.length).split('.')[0] ?? ''),
  ]);
  const message = 'is not a setting';
  if (near !== null && near !== key) return { field, message, fix: `Did you mean ${prefix}${near}?` };
  const elsewhere = findElsewhere(key);
  if (elsewhere !== null) return { field, message, fix: `Did you mean ${elsewhere}?` };
  const place = path.length > 0 ? ` ${path.join('.')}` : '';
  const names = known.length > 0 ? known.join(', ') : aliases.join(', ');
  return { field, message, fix: `Remove it; the settings of${place || ' the file'} are ${names}.` };
}

function findElsewhere(key: string): string | null {
  const wanted = getBareName(key);
  const visit = (node: SettingNode, path: string): string | null => {
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      const here = path ? `${path}.${name}` : name;
      if (getBareName(name) === wanted) return here;
      const below = visit(child, here);
      if (below !== null) return below;
    }
    return null;
  };
  return visit(getSettings(), '');
}

function getFix(field: string, node: SettingNode, found: unknown, rule: string | null): string {
  const choices = node.enum?.filter(choice => choice !== null).map(String);
  const near = choices && typeof found === 'string' ? getNearest(found, choices) : null;
  if (near !== null) return `Did you mean ${near}?`;
  if (rule !== null) return `Change ${field}: it ${rule}.`;
  const example =
    node.default === undefined || node.default === null ? '' : `, such as ${JSON.stringify(node.default)}`;
  return `Set ${field} to ${describeExpected(node)}${choices ? '' : example}.`;
}

/** What a setting takes, as the end of the sentence "must be …". */
export function describeExpected(node: SettingNode): string {
  const choices = node.enum?.filter(choice => choice !== null);
  if (choices) return `one of ${choices.join(', ')}`;
  const type = typeof node.type === 'string' ? node.type : node.type?.find(name => name !== 'null');
  switch (type) {
    case 'integer':
      return `a whole number${describeRange(node)}`;
    case 'number':
      return `a number${describeRange(node)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list${node.items?.type === 'string' ? ' of texts' : ''}`;
    case 'object':
      return 'a section of settings';
    default:
      return 'a non-empty text';
  }
}

function describeRange({ minimum, maximum, exclusiveMinimum }: SettingNode): string {
  const low = exclusiveMinimum === undefined ? minimum : undefined;
  if (low !== undefined && maximum !== undefined) return ` between ${low} and ${maximum}`;
  const from =
    low !== undefined
      ? ` of at least ${low}`
      : exclusiveMinimum !== undefined
        ? ` above ${exclusiveMinimum}`
        : '';
  return `${from}${maximum !== undefined ? `${from ? ' and' : ''} up to ${maximum}` : ''}`;
}

function describeFound(found: unknown): string {
  if (found === null) return 'empty';
  if (Array.isArray(found)) return 'a list';
  if (typeof found === 'object') return 'a section';
  if (typeof found !== 'string') return `the ${typeof found} ${String(found)}`;
  return found.trim() === ''
    ? 'an empty text'
    : `the text ${JSON.stringify(found.length > 60 ? `${found.slice(0, 57)}...` : found)}`;
}
