import { isObject } from '../../core/base/json.ts';
import { canHaveModel, getProviderFacts, type ProviderName } from '../../core/model/provider.ts';
import { ROLES, type Role, type RoleModel } from '../../core/model/role.ts';
import type { Config } from './schema.ts';

/** Who does the work of each role, resolved from its own settings and the default's. */
export function getModels(config: Config): Readonly<Record<Role, RoleModel>> {
  return Object.fromEntries(ROLES.map(role => [role, getRoleModel(config, role)])) as Record<Role, RoleModel>;
}

/** Who works unless something says otherwise; null where nobody has been named. */
export function getUsualProvider({ agent, models }: Pick<Config, 'agent' | 'models'>): ProviderName | null {
  return models.default.provider ?? agent.provider;
}

function getRoleModel({ agent, models }: Config, role: Role): RoleModel {
  const own = getOwnModel(models, role);
  const usual = getUsualProvider({ agent, models }) ?? 'scripted';
  const provider = own.provider ?? usual;
  const isSimple = role === 'cleanup' || role === 'summariser';
  const known = getProviderFacts(provider).models;
  const inherited = (isSimple ? known?.simple : undefined) ?? models.default.model ?? known?.usual ?? null;
  // A program that nobody told of this role would take a summary for work.
  const isUnasked = role === 'summariser' && getProviderFacts(provider).sdk === null;
  const isTaken = provider === usual && inherited !== null && canHaveModel(provider, inherited) && !isUnasked;
  return {
    provider,
    model: own.model ?? (isTaken ? inherited : null),
    effort: own.effort ?? (provider === usual ? models.default.effort : null),
  };
}

/** What is said of a role itself; setting a project up is planning it. */
function getOwnModel(models: Config['models'], role: Role): Config['models']['default'] {
  const { planner, initializer } = models;
  if (role !== 'planner') return models[role === 'test-author' ? 'test_author' : role];
  return {
    provider: planner.provider ?? initializer.provider,
    model: planner.model ?? initializer.model,
    effort: planner.effort ?? initializer.effort,
  };
}

/** An agent that is told by its program or its script alone, as in `agent: { command: ./agent.sh }`. */
export function expandAgent(value: Record<string, unknown>): Record<string, unknown> {
  const { agent } = value;
  if (!isObject(agent) || (agent.provider ?? null) !== null) return value;
  const provider = agent.command ? 'command' : agent.script ? 'scripted' : null;
  return { ...value, agent: { ...agent, provider } };
}

/** A model by its name alone, as most people write it, in the shape of the rest. */
export function expandModels(value: Record<string, unknown>): Record<string, unknown> {
  const { models } = value;
  if (typeof models !== 'object' || models === null || Array.isArray(models)) return value;
  const entries = Object.entries(models).map(([role, model]) => [
    role,
    typeof model === 'string' ? { model } : model,
  ]);
  return { ...value, models: Object.fromEntries(entries) };
}
