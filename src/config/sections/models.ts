import { canHaveModel, getProviderFacts } from '../../core/model/provider.ts';
import { ROLES, type Role, type RoleModel } from '../../core/model/role.ts';
import type { Config } from './schema.ts';

/** Who does the work of each role, resolved from its own settings and the default's. */
export function getModels(config: Config): Readonly<Record<Role, RoleModel>> {
  return Object.fromEntries(ROLES.map(role => [role, getRoleModel(config, role)])) as Record<Role, RoleModel>;
}

function getRoleModel({ agent, models }: Config, role: Role): RoleModel {
  const own = models[role === 'test-author' ? 'test_author' : role];
  const usual = models.default.provider ?? agent.provider;
  const provider = own.provider ?? usual;
  const isSimple = role === 'cleanup' || role === 'summariser';
  const simple = isSimple ? getProviderFacts(provider).models?.simple : undefined;
  const inherited = simple ?? models.default.model;
  const isTaken = provider === usual && inherited !== null && canHaveModel(provider, inherited);
  return {
    provider,
    model: own.model ?? (isTaken ? inherited : null),
    effort: own.effort ?? (provider === usual ? models.default.effort : null),
  };
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
