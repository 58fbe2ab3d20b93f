import type { Policy } from './policy.ts';
import type { TaskDef } from './task.ts';

/** What a session is for: seed C's types of prompt, and those who judge, test, plan and sum up. */
export const ROLES = [
  'initializer',
  'coding',
  'continuation',
  'cleanup',
  'review',
  'test-author',
  'planner',
  'summariser',
] as const;

export type Role = (typeof ROLES)[number];

/** What a session is counted as; fixing what was sent back is done by whoever began. */
export type PromptType = Role | 'feedback';

/** Who does the work of a role, and how; null leaves it to the provider. */
export interface RoleModel {
  readonly provider: string;
  readonly model: string | null;
  readonly effort: string | null;
}

/** The role of a task's session: work that was cut off is gone on with, everything else is begun. */
export function getSessionRole(startWip: string | null, isAuthor = false, kind?: TaskDef['kind']): Role {
  if (isAuthor) return 'test-author';
  if (kind === 'cleanup') return 'cleanup';
  return startWip === null ? 'coding' : 'continuation';
}

/** The providers of a role in the order they are tried. */
export function getProviders({ models, providers }: Policy, role: Role): readonly string[] {
  return [...new Set([models[role].provider, ...providers])];
}

/** Every provider that any role may come to. */
export function getAllProviders({ models, providers }: Policy): readonly string[] {
  return [...new Set([...providers, ...ROLES.map(role => models[role].provider)])];
}

/** Model and effort mean something to the provider they were chosen for; those it falls back on choose for themselves. */
export function getRoleSettings(
  { models }: Policy,
  role: Role,
  provider: string,
): { readonly model?: string; readonly effort?: string } {
  const { model, effort, ...own } = models[role];
  if (own.provider !== provider) return {};
  return { ...(model ? { model } : {}), ...(effort ? { effort } : {}) };
}
