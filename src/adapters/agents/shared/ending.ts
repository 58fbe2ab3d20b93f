import type { AgentFailure, AgentResult, SessionRequest } from '../../../ports/index.ts';
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
