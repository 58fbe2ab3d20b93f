import type { Policy } from '../model/policy.ts';
import type { PromptType } from '../model/role.ts';
import { addUsage, NO_USAGE, type Usage } from '../model/usage.ts';
import type { Attempt } from './attempt.ts';
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

/** What attempts under way may still spend, all but one task's; what waits to land costs nothing more. */
export function getReservedUsd({ active, tasks }: WithAttempts, except?: string): number {
  let sumUsd = 0;
  for (const { task, stage, reserve } of active.values()) {
    if (task === except || stage === 'queued' || stage === 'landing') continue;
    sumUsd += Math.max(0, getKeptUsd(reserve, tasks.get(task)) ?? 0);
  }
  return sumUsd;
}

/** What is left of what was kept for an attempt; null where nothing was said about it. */
function getKeptUsd(
  { usd, taskUsdBefore }: Attempt['reserve'],
  task?: Pick<TaskState, 'usage'>,
): number | null {
  return usd === null ? null : usd - ((task?.usage.costUsd ?? 0) - taskUsdBefore);
}

interface WithAttempts {
  readonly active: ReadonlyMap<string, Pick<Attempt, 'task' | 'stage' | 'reserve'>>;
  readonly tasks: ReadonlyMap<string, Pick<TaskState, 'usage'>>;
}

/** What is left for one task, beside what others may still spend. */
export function getLeftUsd(
  rules: Pick<Policy, 'budget'>,
  state: WithAttempts & { readonly costs: Costs; readonly people: People },
  task: string,
): number {
  return getBudget(rules, state).totalUsd - state.costs.usage.costUsd - getReservedUsd(state, task);
}

/**
 * What the next session of an attempt may spend: the tightest of the three budgets, and no more than was kept for the
 * attempt, since others count on the rest. Rounds within it share one session's.
 */
export function getSessionUsd(
  rules: Pick<Policy, 'budget'>,
  state: WithAttempts & { readonly costs: Costs; readonly people: People },
  { task, attempt }: { readonly task: TaskState; readonly attempt: Attempt },
): number {
  const { perSessionUsd, perTaskUsd } = getBudget(rules, state, task);
  return Math.min(
    perSessionUsd - attempt.agent.usage.costUsd,
    perTaskUsd - task.usage.costUsd,
    getLeftUsd(rules, state, attempt.task),
    getKeptUsd(attempt.reserve, task) ?? Number.POSITIVE_INFINITY,
  );
}

/**
 * What an attempt is to have for itself: a session's worth of what is left of its task. Null where others hold so much
 * that less than that is left: they may need less, and then it is there.
 */
export function getReserve(
  rules: Pick<Policy, 'budget'>,
  state: WithAttempts & { readonly costs: Costs; readonly people: People },
  task: TaskState,
): number | null {
  const { perSessionUsd, perTaskUsd } = getBudget(rules, state, task);
  const wanted = Math.max(0, Math.min(perSessionUsd, perTaskUsd - task.usage.costUsd));
  const leftUsd = getLeftUsd(rules, state, task.def.id);
  if (leftUsd >= wanted) return wanted;
  return getReservedUsd(state, task.def.id) > 0 ? null : Math.max(0, leftUsd);
}

/** How far a cap goes up when nobody says how far. */
export function getRaised(capUsd: number): number {
  return Math.ceil(capUsd * 150) / 100;
}
