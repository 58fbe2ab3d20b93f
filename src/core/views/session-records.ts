import type { SessionOutcome } from '../model/facts.ts';
import type { Usage } from '../model/usage.ts';
import type { State } from '../state/state.ts';

/** Why a session was over, in words that other tools read. */
export type Termination =
  | 'complete'
  | 'context_limit'
  | 'timeout'
  | 'stuck'
  | 'user_pause'
  | 'budget'
  | 'error';

const TERMINATIONS: Readonly<Record<SessionOutcome, Termination>> = {
  claimed: 'complete',
  context: 'context_limit',
  timeout: 'timeout',
  stuck: 'stuck',
  asked: 'user_pause',
  interrupted: 'user_pause',
  budget: 'budget',
  crashed: 'error',
  unavailable: 'error',
  'not-done': 'error',
};

export function getTermination(outcome: SessionOutcome): Termination {
  return TERMINATIONS[outcome];
}

/** One session: what it was for, how long it took, what came of it and what it cost. */
export interface SessionRecord {
  readonly session: number;
  readonly task: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly termination: Termination;
  readonly isLanded: boolean;
  readonly usage: Usage;
}

/** Every session whose attempt is over, the oldest first; attempts that never came to an agent are none. */
export function getSessionRecords({ tasks }: Pick<State, 'tasks'>): readonly SessionRecord[] {
  const records = [...tasks.values()].flatMap(({ def, history }) =>
    history.flatMap(({ session, outcome, ran }) => {
      if (ran === null) return [];
      const { startedAtMs, endedAtMs, usage } = ran;
      const isLanded = outcome === 'landed';
      const termination = isLanded ? 'complete' : getTermination(ran.outcome);
      return [{ session, task: def.id, startedAtMs, endedAtMs, termination, isLanded, usage }];
    }),
  );
  return records.sort((a, b) => a.session - b.session);
}
