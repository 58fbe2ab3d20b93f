import { isObject } from '../core/base/json.ts';
import { listEnvSettings } from './env-settings.ts';
import { type Env, expandEnv } from './expand-env.ts';
import { ALIASES, putSettings, resolveAliases } from './explain/aliases.ts';
import { getConflicts } from './explain/conflicts.ts';
import { describeIssue, describeUnknownKey } from './explain/describe-issue.ts';
import { findSetting } from './explain/json-schema.ts';
import { getConfigError, type Position, type Problem } from './explain/problem.ts';
import { expandAgent, expandModels } from './sections/models.ts';
import { type Config, configSchema } from './sections/schema.ts';

export interface CheckSource {
  readonly file: string;
  readonly env: Env;
  /** What holds where the file says nothing, and depends on where it lies. */
  readonly absent?: readonly (readonly [setting: string, value: unknown])[];
  locate(path: readonly string[]): Position | null;
}

/** Turns what a file says into the one Config, or throws everything that is wrong with it. */
export function checkConfig(value: unknown, source: CheckSource): Config {
  if (!isObject(value)) throw getConfigError(source.file, [getShapeProblem(value)]);
  const { $schema: _, ...raw } = value;
  const expansion = expandEnv(raw, source.env);
  const aliased = resolveAliases(expandModels(expansion.value as Record<string, unknown>));
  const leftovers = takeLeftovers(aliased.value);
  const fromEnv = listEnvSettings(source.env);
  const written = expandAgent(addPlace(putEnv(aliased.value, fromEnv), source.absent ?? []));
  const variables = new Map(fromEnv.map(([name, setting]) => [setting, name]));
  const spell = (field: string) => variables.get(field) ?? aliased.spelling.get(field) ?? field;
  const input = tidy(written, [], field => variables.has(field) || expansion.expanded.has(spell(field)));
  const parsed = configSchema.safeParse(input);
  const missing = expansion.problems.filter(({ field }) => !isIdle(raw, field));
  const unset = new Set(missing.map(problem => problem.field));
  const issues = (parsed.error?.issues ?? []).flatMap(issue => {
    const field = spell(issue.path.join('.'));
    return describeIssue(issue, getIn(raw, field.split('.')) ?? getIn(input, issue.path.map(String)), field);
  });
  const problems = [
    ...missing,
    ...aliased.problems,
    ...leftovers,
    ...issues.filter(issue => !unset.has(issue.field)),
    ...(parsed.success ? getConflicts(parsed.data) : []),
  ];
  if (parsed.success && problems.length === 0) return parsed.data;
  throw getConfigError(
    source.file,
    problems.map(problem => addPosition(problem, source)),
  );
}

function getShapeProblem(value: unknown): Problem {
  const isEmpty = value === null || value === undefined;
  return {
    field: isEmpty ? 'project.name' : '',
    message: isEmpty ? 'is required, but the file is empty' : 'must hold sections of settings',
    fix: 'Start with a section "project" that has a "name".',
  };
}

function putEnv(value: Record<string, unknown>, fromEnv: ReturnType<typeof listEnvSettings>) {
  const settings = fromEnv.map(([, setting, text]) => [setting, text] as const);
  return putSettings(value, settings, 'always');
}

/** What the place of the file says; the folder of plans as the backlog; the parts of the suite as the whole. */
function addPlace(value: Record<string, unknown>, absent: NonNullable<CheckSource['absent']>) {
  const placed = putSettings(value, absent, 'absent');
  const dir = getIn(placed, ['plan', 'dir']);
  const parts = ['unit', 'e2e'].map(part => getIn(placed, ['testing', part]));
  const suite = parts.filter(part => typeof part === 'string' && part.trim() !== '').join(' && ');
  const implied = [
    ...(typeof dir === 'string' ? [['paths.features', dir] as const] : []),
    ...(suite === '' ? [] : [['testing.full', suite] as const]),
  ];
  return putSettings(placed, implied, 'absent');
}

/** A server that is not offered to any agent needs none of its variables. */
function isIdle(raw: Record<string, unknown>, field: string): boolean {
  const [section, servers, ...path] = field.split('.');
  if (section !== 'tools' || servers !== 'mcp_servers') return false;
  // A server's name may have a dot in it.
  return path.some(
    (_, at) => getIn(raw, ['tools', 'mcp_servers', path.slice(0, at + 1).join('.'), 'enabled']) === false,
  );
}

/** What remains in a section that exists only as an alias is nobody's setting. */
function takeLeftovers(value: Record<string, unknown>): readonly Problem[] {
  const problems: Problem[] = [];
  const roots = new Set(ALIASES.map(([alias]) => alias.split('.')[0] ?? ''));
  for (const root of roots) {
    const section = value[root];
    if (Object.hasOwn(configSchema.shape, root) || !isObject(section)) continue;
    problems.push(...Object.keys(section).map(key => describeUnknownKey([root], key)));
    delete value[root];
  }
  return problems;
}

/** An empty section means its defaults, and `${PORT}` in a number's place is a number. */
function tidy(node: unknown, path: readonly string[], isExpanded: (field: string) => boolean): unknown {
  if (isObject(node)) {
    const entries = Object.entries(node).filter(
      ([key, child]) => child !== null || !isSection([...path, key]),
    );
    return Object.fromEntries(entries.map(([key, child]) => [key, tidy(child, [...path, key], isExpanded)]));
  }
  if (typeof node !== 'string' || !isExpanded(path.join('.'))) return node;
  const types = [findSetting(path)?.type ?? []].flat();
  if (types.includes('boolean') && /^(?:true|false)$/.test(node)) return node === 'true';
  if ((types.includes('number') || types.includes('integer')) && /^-?\d+(?:\.\d+)?$/.test(node))
    return Number(node);
  return node;
}

function isSection(path: readonly string[]): boolean {
  return findSetting(path)?.type === 'object';
}

function getIn(value: unknown, path: readonly string[]): unknown {
  let node = value;
  for (const key of path) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as Record<string, unknown>)[key];
  }
  return node;
}

function addPosition(problem: Problem, source: CheckSource): Problem {
  if (problem.position || problem.field === '') return problem;
  const path = problem.field.split('.');
  for (let length = path.length; length > 0; length--) {
    const position = source.locate(path.slice(0, length));
    if (position !== null) return { ...problem, position };
  }
  return problem;
}
