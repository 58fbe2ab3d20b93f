import type { AgentFailure, AgentMode } from '../../../ports/index.ts';

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
