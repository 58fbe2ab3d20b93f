import { isObject } from '../core/base/json.ts';
import { type Env, expandEnv } from './expand-env.ts';
import { ALIASES, resolveAliases } from './explain/aliases.ts';
import { getConflicts } from './explain/conflicts.ts';
import { describeIssue, describeUnknownKey } from './explain/describe-issue.ts';
import { findSetting } from './explain/json-schema.ts';
import { getConfigError, type Position, type Problem } from './explain/problem.ts';
import { expandModels } from './sections/models.ts';
import { type Config, configSchema } from './sections/schema.ts';

export interface CheckSource {
  readonly file: string;
  readonly env: Env;
  locate(path: readonly string[]): Position | null;
}

/** Turns what a file says into the one Config, or throws everything that is wrong with it. */
export function checkConfig(value: unknown, source: CheckSource): Config {
  if (!isObject(value)) throw getConfigError(source.file, [getShapeProblem(value)]);
  const { $schema: _, ...raw } = value;
  const expansion = expandEnv(raw, source.env);
  const aliased = resolveAliases(expansion.value as Record<string, unknown>);
  const leftovers = takeLeftovers(aliased.value);
  const written = expandModels(aliased.value);
  const spell = (field: string) => aliased.spelling.get(field) ?? field;
  const input = tidy({ project: {}, ...written }, [], field => expansion.expanded.has(spell(field)));
  const parsed = configSchema.safeParse(input);
  const unset = new Set(expansion.problems.map(problem => problem.field));
  const issues = (parsed.error?.issues ?? []).flatMap(issue => {
    const field = spell(issue.path.join('.'));
    return describeIssue(issue, getIn(raw, field.split('.')) ?? getIn(input, issue.path.map(String)), field);
  });
  const problems = [
    ...expansion.problems,
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
