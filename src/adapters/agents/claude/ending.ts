import type { AgentFailure, AgentResult, SessionRequest } from '../../../ports/index.ts';
import { ALL_EMPTY } from '../shared/empty-turn.ts';
import type { SessionEnd } from '../shared/watch-session.ts';
import { type ClaudeHints, getClaudeFailure } from './failure.ts';
import type { ClaudeResult } from './sdk.ts';

export interface ClaudeStory {
  readonly request: Pick<SessionRequest, 'mode' | 'schema'>;
  /** Null when the last turn was never ended. */
  readonly result: ClaudeResult | null;
  readonly hints: ClaudeHints;
  readonly end: SessionEnd | null;
  /** What the kit threw. */
  readonly crash: string | null;
  readonly lastText: string;
}

export type ClaudeEnding = Pick<AgentResult, 'outcome' | 'summary' | 'silent' | 'failure' | 'structured'>;

/** What the end of a session means: a claim only when the model ended its own turn and nothing else did. */
export function getClaudeEnding(story: ClaudeStory): ClaudeEnding {
  const failure = getFailure(story);
  if (failure) return { outcome: getOutcome(failure, story), summary: failure.message, failure };
  const { result, lastText } = story;
  const words = result?.text || lastText;
  const summary = words || 'Claude Code ended its turn.';
  const silent = words ? {} : { silent: true as const };
  if (!hasEndedWell(result)) return { outcome: 'not-done', summary, ...silent };
  const structured = result?.structured;
  return { outcome: 'claimed', summary, ...silent, ...(structured === undefined ? {} : { structured }) };
}

function getFailure(story: ClaudeStory): AgentFailure | null {
  const { result, end, request } = story;
  const failure = result && getClaudeFailure(result, story.hints);
  if (result && !failure) return getMissingAnswer(story) ?? (result.isEmpty ? ALL_EMPTY : null);
  if (end === 'timeout') return { kind: 'timeout', message: 'The time for this session is up.' };
  if (end === 'cancelled') return { kind: 'cancelled', message: 'The session was stopped.' };
  if (end === 'interrupted') return { kind: 'cancelled', message: 'The turn was interrupted.' };
  if (!failure) return { kind: 'crash', message: story.crash ?? 'Claude Code ended without a result.' };
  if (failure.kind !== 'max_turns' || request.mode !== 'complete') return failure;
  return { kind: 'malformed', message: 'The answer does not have the form that was asked for.' };
}

/** The schema's tool may never have been called, and the SDK calls that a success. */
function getMissingAnswer({ request, result }: ClaudeStory): AgentFailure | null {
  if (request.mode !== 'complete' || !request.schema || result?.structured !== undefined) return null;
  return { kind: 'malformed', message: 'The answer does not have the form that was asked for.' };
}

function getOutcome(failure: AgentFailure, { end }: ClaudeStory): AgentResult['outcome'] {
  if (failure.kind === 'timeout' && end === 'timeout') return 'timeout';
  return ['cancelled', 'max_turns', 'budget'].includes(failure.kind) ? 'not-done' : 'crashed';
}

function hasEndedWell(result: ClaudeResult | null): boolean {
  return (
    result !== null && ['', 'completed'].includes(result.terminalReason) && result.stopReason !== 'refusal'
  );
}
