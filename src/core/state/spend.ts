import type { PromptType } from '../model/role.ts';
import { addUsage, NO_USAGE, type Usage } from '../model/usage.ts';
import type { State } from './state.ts';
import type { TaskState } from './task-state.ts';

interface Spending {
  readonly role: PromptType;
  readonly usage?: Usage;
  /** Sessions that came to an end with it. */
  readonly sessions?: number;
  readonly task?: TaskState;
}

/** Counts what something cost, by what it was for: all of it comes out of the same budget. */
export function spend(state: State, { role, usage = NO_USAGE, sessions = 0, task }: Spending): void {
  const before = state.byRole.get(role) ?? { usage: NO_USAGE, sessions: 0 };
  state.byRole.set(role, { usage: addUsage(before.usage, usage), sessions: before.sessions + sessions });
  state.usage = addUsage(state.usage, usage);
  if (task) task.usage = addUsage(task.usage, usage);
}
