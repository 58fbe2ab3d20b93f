import type { AgentFailure, AgentMode, AgentResult, SessionRequest } from '../../../ports/index.ts';
import { parseStructured } from './structured.ts';
import type { SessionEnd } from './watch-session.ts';

/** The end of a session, but for what it used. */
export type Ending = Pick<AgentResult, 'outcome' | 'summary' | 'silent' | 'failure' | 'structured'>;

/** An end that came from outside, as a failure. */
export function getWatchedFailure(end: SessionEnd): AgentFailure {
  if (end === 'timeout') return { kind: 'timeout', message: 'The time for this session is up.' };
  if (end === 'cancelled') return { kind: 'cancelled', message: 'The session was stopped.' };
  return { kind: 'cancelled', message: 'The turn was interrupted.' };
}

/** A failure is never a claim, however much was done before it. */
export function getFailedEnding(failure: AgentFailure, end: SessionEnd | null): Ending {
  const outcome =
    failure.kind === 'timeout' && end === 'timeout'
      ? 'timeout'
      : ['cancelled', 'max_turns', 'budget'].includes(failure.kind)
        ? 'not-done'
        : 'crashed';
  return { outcome, summary: failure.message, failure };
}

/** A turn that the agent ended by itself: a claim, or the answer that was asked for. */
export function getSaidEnding(
  { mode, schema }: Pick<SessionRequest, 'mode' | 'schema'>,
  said: string,
  unsaid: string,
): Ending {
  const summary = said.trim() || unsaid;
  const silent = said.trim() ? {} : { silent: true as const };
  if (mode !== 'complete' || !schema) return { outcome: 'claimed', summary, ...silent };
  const answer = parseStructured(said, schema);
  if (answer.ok) return { outcome: 'claimed', summary, structured: answer.value };
  return getFailedEnding({ kind: 'malformed', message: answer.why }, null);
}

/** So many turns in a row without a word or a tool, and the session is given up. */
const MAX_EMPTY_TURNS = 3;

/** What an agent is told after a turn in which it neither said nor did anything. */
export const GO_ON =
  'Your last turn was empty: nothing was said and no tool was called. Go on with the task, or say why you cannot.';

/** An empty turn is no claim and no progress, however properly it ended. */
export const ALL_EMPTY: AgentFailure = {
  kind: 'malformed',
  message: 'The agent ended its turn without saying or doing anything.',
};

/** Counts empty turns in a row; says of each turn whether the agent is to be asked once more. */
export function createEmptyTurns(mode: AgentMode = 'exec'): (isEmpty: boolean) => boolean {
  let count = 0;
  return isEmpty => {
    count = isEmpty ? count + 1 : 0;
    // An answer is given in one turn or not at all.
    return isEmpty && mode !== 'complete' && count < MAX_EMPTY_TURNS;
  };
}
