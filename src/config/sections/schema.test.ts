import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { FULL_EXAMPLE } from '../../../test/support/full-example.ts';
import { isObject } from '../../core/base/json.ts';
import { ALIASES } from '../explain/aliases.ts';
import { findSetting, getSettings, type SettingNode } from '../explain/json-schema.ts';
import { parseConfig } from '../load.ts';
import { configSchema } from './schema.ts';

const example = parse(FULL_EXAMPLE) as Record<string, unknown>;
const env = { DATABASE_URL: 'postgres://localhost/shop' };

describe('the schema', () => {
  it('loads an example that sets everything, and keeps every value of it', () => {
    const config = parseConfig(FULL_EXAMPLE, '.harness.yaml', env);
    const expected = structuredClone(example) as { tools: { mcp_servers: { postgres: { config: object } } } };
    expected.tools.mcp_servers.postgres.config = { connection_string: env.DATABASE_URL, read_only: true };
    expect(config).toEqual(expected);
  });

  it('has no setting that the example forgets', () => {
    const forgotten = getSettingPaths(getSettings(), []).filter(path => !hasPath(example, path));
    expect(forgotten).toEqual([]);
  });

  it('describes every setting and section in one sentence', () => {
    const bare = getSettingPaths(getSettings(), []).filter(
      path => !/^.+\.$/.test(findSetting(path)?.description ?? ''),
    );
    expect(bare).toEqual([]);
  });

  it('needs nothing but its place for a name', () => {
    const absent = [['project.name', 'shop']] as const;
    expect(parseConfig('agent: { provider: claude }', '.harness.yaml', {}, absent).project.name).toBe('shop');
  });

  it.each(Object.keys(configSchema.shape))('has these defaults in %s', section => {
    const config = parseConfig('project: { name: shop }', '.harness.yaml', {});
    expect(config[section as keyof typeof config]).toMatchSnapshot();
  });

  it('loads any part of a valid configuration, empty sections too', () => {
    const sections = Object.keys(example).filter(name => name !== 'project');
    fc.assert(
      fc.property(fc.subarray(sections), fc.subarray(sections), (kept, emptied) => {
        const part = Object.fromEntries(
          kept.map(name => [name, emptied.includes(name) ? null : example[name]]),
        );
        const config = parseConfig(stringify({ project: example.project, ...part }), '.harness.yaml', env);
        const defaults = parseConfig('project: { name: shop }', '.harness.yaml', {});
        const hasPlans = kept.includes('plan') && !emptied.includes('plan');
        for (const name of sections as (keyof typeof config)[]) {
          // A folder of plans is the backlog where no other is named.
          if (name === 'paths' && hasPlans) continue;
          if (!kept.includes(name) || emptied.includes(name)) expect(config[name]).toEqual(defaults[name]);
        }
      }),
      { numRuns: 50 },
    );
  });

  it.each(ALIASES)('takes %s for %s', (alias, setting) => {
    const value = getIn(example, setting.split('.'));
    const written = stringify(nest(alias.split('.'), value));
    const direct = stringify(nest(setting.split('.'), value));
    const load = (text: string) => parseConfig(addName(text), '.harness.yaml', {});
    expect(load(written)).toEqual(load(direct));
    expect(load(written)).not.toEqual(load(''));
  });
});

function getSettingPaths(node: SettingNode, path: readonly string[]): readonly (readonly string[])[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) => [
    [...path, key],
    ...getSettingPaths(child, [...path, key]),
  ]);
}

function hasPath(value: unknown, path: readonly string[]): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  return isObject(value) && Object.hasOwn(value, key) && hasPath(value[key], rest);
}

function getIn(value: unknown, path: readonly string[]): unknown {
  return path.reduce((node, key) => (isObject(node) ? node[key] : undefined), value);
}

function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function addName(text: string): string {
  const value = (parse(text) ?? {}) as { project?: object };
  return stringify({ ...value, project: { name: 'shop', ...value.project } });
}
