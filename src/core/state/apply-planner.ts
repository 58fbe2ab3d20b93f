import type { HarnessEvent } from '../model/event.ts';
import { addUsage, NO_USAGE } from '../model/usage.ts';
import type { State } from './state.ts';

type PlannerEvent = Extract<HarnessEvent, { type: 'planner.spent' | 'planner.ended' }>;

/** Counts what planning costs beside everything else: it comes out of the same budget. */
export function applyPlanner(state: State, event: PlannerEvent): void {
  const { usage, sessions } = state.byRole.get('planner') ?? { usage: NO_USAGE, sessions: 0 };
  if (event.type === 'planner.spent') {
    state.byRole.set('planner', { usage: addUsage(usage, event.usage), sessions });
    state.usage = addUsage(state.usage, event.usage);
    return;
  }
  state.byRole.set('planner', { usage, sessions: sessions + 1 });
  if (event.outcome !== 'unavailable') state.providers.delete(event.provider);
}
