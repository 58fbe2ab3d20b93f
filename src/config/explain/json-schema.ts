import * as z from 'zod';
import { configSchema } from '../sections/schema.ts';
import { ALIASES } from './aliases.ts';

/** As much of JSON Schema as the configuration needs. */
export interface SettingNode {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: SettingNode;
  readonly properties?: Readonly<Record<string, SettingNode>>;
  readonly additionalProperties?: boolean | SettingNode;
  readonly required?: readonly string[];
}

type MutableNode = { -readonly [K in keyof SettingNode]: SettingNode[K] } & Record<string, unknown>;

/** Every setting as a plain tree, without aliases: what errors and docs are made from. */
export function getSettings(): SettingNode {
  cached ??= simplify(z.toJSONSchema(configSchema, { io: 'input' }) as MutableNode);
  return cached;
}

let cached: SettingNode | undefined;

/** The node of one setting or section; null when there is none of that name. */
export function findSetting(path: readonly string[]): SettingNode | null {
  let node: SettingNode | undefined = getSettings();
  for (const key of path) {
    if (node?.items && /^\d+$/.test(key)) node = node.items;
    else if (node?.properties && Object.hasOwn(node.properties, key)) node = node.properties[key];
    else if (typeof node?.additionalProperties === 'object') node = node.additionalProperties;
    else return null;
  }
  return node ?? null;
}

/** The schema published for editors, aliases included. */
export function getJsonSchema(): Record<string, unknown> {
  const schema = structuredClone(getSettings()) as MutableNode;
  for (const [alias, setting] of ALIASES) addAlias(schema, alias.split('.'), setting);
  allowBareModels(schema);
  const link = { type: 'string', description: 'Where an editor finds this schema.' };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Harness configuration',
    description: 'Settings of .harness.yaml, harness.config.json and harness.config.ts.',
    ...schema,
    properties: { $schema: link, ...schema.properties },
  };
}

function addAlias(root: MutableNode, path: readonly string[], setting: string): void {
  const [key = '', ...rest] = path;
  const properties: Record<string, SettingNode> = { ...root.properties };
  root.properties = properties;
  if (rest.length === 0) {
    const { default: _, ...node } = findSetting(setting.split('.')) ?? {};
    properties[key] = { ...node, description: `Another name of \`${setting}\`.` };
    return;
  }
  const child: MutableNode = { ...(properties[key] ?? { type: 'object', additionalProperties: false }) };
  properties[key] = child;
  addAlias(child, rest, setting);
}

/** A model by its name alone is taken too. */
function allowBareModels({ properties }: MutableNode): void {
  const models = properties?.models?.properties as Record<string, MutableNode> | undefined;
  for (const [role, { description, ...section }] of Object.entries(models ?? {})) {
    const choices = { description, anyOf: [{ type: 'string', minLength: 1 }, section] };
    if (models) models[role] = choices as MutableNode;
  }
}

/** Folds "this or null" into one node and drops what only says that numbers are numbers. */
function simplify(node: MutableNode): MutableNode {
  const { anyOf, $schema: _, propertyNames: __, ...rest } = node;
  const result: MutableNode = Array.isArray(anyOf) ? { ...getNullable(anyOf), ...rest } : { ...rest };
  if (result.maximum === Number.MAX_SAFE_INTEGER) delete result.maximum;
  if (result.properties) {
    delete result.default;
    result.properties = Object.fromEntries(
      Object.entries(result.properties).map(([key, child]) => [key, simplify({ ...child })]),
    );
  }
  if (result.items) result.items = simplify({ ...result.items });
  if (typeof result.additionalProperties === 'object') {
    result.additionalProperties = simplify({ ...result.additionalProperties });
  }
  return result;
}

function getNullable(choices: readonly MutableNode[]): MutableNode {
  const inner = choices.find(choice => choice.type !== 'null') ?? {};
  const type = [String(inner.type), 'null'];
  return { ...inner, type, ...(inner.enum ? { enum: [...inner.enum, null] } : {}) };
}
