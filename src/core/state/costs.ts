import type { Policy } from '../model/policy.ts';
import type { PromptType } from '../model/role.ts';
import { addUsage, NO_USAGE, type Usage } from '../model/usage.ts';
import type { People } from './people.ts';
import type { TaskState } from './task-state.ts';

/** What has been spent, and what may be. */
export interface Costs {
  usage: Usage;
  /** The same, by what the sessions were for. */
  readonly byRole: Map<PromptType, { usage: Usage; sessions: number }>;
  /** What the project may cost, as the last worker was told. */
  budgetUsd: number | null;
  /** The ceiling of which it has been told that it is reached. */
  ceilingTokens: number | null;
}

export function createCosts(): Costs {
  return { usage: NO_USAGE, byRole: new Map(), budgetUsd: null, ceilingTokens: null };
}

interface Spending {
  readonly role: PromptType;
  readonly usage?: Usage;
  /** Sessions that came to an end with it. */
  readonly sessions?: number;
  readonly task?: TaskState;
}

/** Counts what something cost, by what it was for: all of it comes out of the same budget. */
export function spend(costs: Costs, { role, usage = NO_USAGE, sessions = 0, task }: Spending): void {
  const before = costs.byRole.get(role) ?? { usage: NO_USAGE, sessions: 0 };
  costs.byRole.set(role, { usage: addUsage(before.usage, usage), sessions: before.sessions + sessions });
  costs.usage = addUsage(costs.usage, usage);
  if (task) task.usage = addUsage(task.usage, usage);
}

/** What may be spent: the configured caps, or higher where a person raised them. */
export function getBudget(
  { budget }: Pick<Policy, 'budget'>,
  { people }: { readonly people: Pick<People, 'raisedToUsd' | 'raisedSessionToUsd'> },
  task?: { readonly people: Pick<TaskState['people'], 'raisedToUsd'> } | undefined,
): Policy['budget'] {
  return {
    perSessionUsd: Math.max(budget.perSessionUsd, people.raisedSessionToUsd),
    perTaskUsd: Math.max(budget.perTaskUsd, task?.people.raisedToUsd ?? 0),
    totalUsd: Math.max(budget.totalUsd, people.raisedToUsd),
  };
}

/** How far a cap goes up when nobody says how far. */
export function getRaised(capUsd: number): number {
  return Math.ceil(capUsd * 150) / 100;
}
