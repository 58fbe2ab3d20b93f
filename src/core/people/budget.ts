import type { Policy } from '../model/policy.ts';
import type { State } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';

/** What may be spent: the configured caps, or higher where a person raised them. */
export function getBudget(
  { budget }: Pick<Policy, 'budget'>,
  { people }: Pick<State, 'people'>,
  task?: Pick<TaskState, 'raisedToUsd'> | undefined,
): Policy['budget'] {
  return {
    perSessionUsd: budget.perSessionUsd,
    perTaskUsd: Math.max(budget.perTaskUsd, task?.raisedToUsd ?? 0),
    totalUsd: Math.max(budget.totalUsd, people.raisedToUsd),
  };
}

/** How far a cap goes up when nobody says how far. */
export function getRaised(capUsd: number): number {
  return Math.ceil(capUsd * 150) / 100;
}
