import { isObject } from '../core/base/json.ts';
import type { Problem } from './explain/problem.ts';

export type Env = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$\$\{|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** Fills `${NAME}` and `${NAME:-default}` in; `$${` stays a `${`; other `${…}` belong to the shell. */
export function expandEnv(
  value: unknown,
  env: Env,
): {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  readonly expanded: ReadonlySet<string>;
} {
  const problems: Problem[] = [];
  const expanded = new Set<string>();
  const visit = (node: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map((item, i) => visit(item, [...path, String(i)]));
    if (isObject(node)) {
      return Object.fromEntries(
        Object.entries(node).map(([key, child]) => [key, visit(child, [...path, key])]),
      );
    }
    if (typeof node !== 'string' || !node.includes('${')) return node;
    const field = path.join('.');
    expanded.add(field);
    const { text, missing } = expandText(node, env);
    for (const name of missing) problems.push(getProblem(name, field));
    return text;
  };
  return { value: visit(value, []), problems, expanded };
}

function expandText(text: string, env: Env): { readonly text: string; readonly missing: readonly string[] } {
  const missing = new Set<string>();
  const expandOne = (whole: string, name: string | undefined, fallback: string | undefined): string => {
    if (name === undefined) return '${';
    const found = env[name];
    if (fallback !== undefined) return found || fallback;
    if (found === undefined) missing.add(name);
    return found ?? whole;
  };
  return { text: text.replace(REFERENCE, expandOne), missing: [...missing] };
}

function getProblem(name: string, field: string): Problem {
  return {
    field,
    message: `needs the environment variable ${name}, which is not set`,
    fix: `Set ${name}, write \${${name}:-default}, or write $\${${name}} to leave it to the shell.`,
  };
}
