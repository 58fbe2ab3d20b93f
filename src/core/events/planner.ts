import { getCount } from '../base/text.ts';
import type { ArtifactRef, SessionOutcome } from '../model/facts.ts';
import type { Usage } from '../model/usage.ts';
import { spend } from '../state/costs.ts';
import type { EventTable } from './kind.ts';

/** What planning costs and comes to. */
export type PlannerEvent =
  /** Spent outside of any attempt, by the planner; written down as it goes. */
  | { readonly type: 'planner.spent'; readonly usage: Usage }
  /** One answer of the planner, and what was wrong with it. What it used is in the events before. */
  | {
      readonly type: 'planner.ended';
      readonly provider: string;
      /** 1 for the first answer; each time a plan is sent back, one more. */
      readonly round: number;
      readonly outcome: SessionOutcome;
      readonly summary: string;
      readonly tasks: number;
      readonly problems: readonly string[];
      readonly usage: Usage;
      readonly durationMs: number;
      readonly transcript: ArtifactRef | null;
      readonly model?: string;
    };

export const PLANNER_EVENTS: EventTable<PlannerEvent> = {
  'planner.spent': {
    level: 'debug',
    apply(state, { usage }) {
      spend(state.costs, { role: 'planner', usage });
    },
  },
  'planner.ended': {
    level: 'important',
    line: ({ problems, tasks, round }) =>
      problems.length === 0
        ? `planner: ${getCount(tasks, 'task')} proposed`
        : `planner: sent back with ${getCount(problems.length, 'finding')} (answer ${round})`,
    progress: ({ problems, tasks, round }) => [
      problems.length === 0
        ? `INIT Plan: ${tasks} tasks proposed (answer ${round})`
        : `WARN plan sent back (answer ${round}): ${problems.join('; ')}`,
    ],
    apply(state, { outcome, provider }) {
      spend(state.costs, { role: 'planner', sessions: 1 });
      if (outcome !== 'unavailable') state.trouble.providers.delete(provider);
    },
  },
};
