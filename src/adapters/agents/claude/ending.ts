import type { AgentErrorKind, AgentFailure, SessionRequest } from '../../../ports/index.ts';
import {
  ALL_EMPTY,
  type Ending,
  getFailedEnding,
  getWatchedFailure,
  type SessionEnd,
} from '../shared/ending.ts';
import type { ClaudeResult } from './sdk.ts';

export interface ClaudeStory {
  readonly request: Pick<SessionRequest, 'mode' | 'schema'>;
  /** Null when the last turn was never ended. */
  readonly result: ClaudeResult | null;
  readonly hints: ClaudeHints;
  readonly end: SessionEnd | null;
  /** What the SDK threw. */
  readonly crash: string | null;
  readonly lastText: string;
}

/** What the end of a session means: a claim only when the model ended its own turn and nothing else did. */
export function getClaudeEnding(story: ClaudeStory): Ending {
  const failure = getFailure(story);
  if (failure) return getFailedEnding(failure, story.end);
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
  if (end) return getWatchedFailure(end);
  if (!failure) return { kind: 'crash', message: story.crash ?? 'Claude Code ended without a result.' };
  if (failure.kind !== 'max_turns' || request.mode !== 'complete') return failure;
  return { kind: 'malformed', message: 'The answer does not have the form that was asked for.' };
}

/** The schema's tool may never have been called, and the SDK calls that a success. */
function getMissingAnswer({ request, result }: ClaudeStory): AgentFailure | null {
  if (request.mode !== 'complete' || !request.schema || result?.structured !== undefined) return null;
  return { kind: 'malformed', message: 'The answer does not have the form that was asked for.' };
}

function hasEndedWell(result: ClaudeResult | null): boolean {
  return (
    result !== null && ['', 'completed'].includes(result.terminalReason) && result.stopReason !== 'refusal'
  );
}

/** What else was heard of a failure besides the result: the two do not tell the same. */
export interface ClaudeHints {
  /** The SDK's own word for an API error. */
  readonly errorName: string | null;
  /** When a rate limit that refused us is lifted. */
  readonly resetsAtMs: number | null;
}

/**
 * A turn's failure in our words; null when it ended well. API errors arrive as `success` with
 * `is_error` set, so the subtype alone says nothing.
 */
function getClaudeFailure(result: ClaudeResult, hints: ClaudeHints): AgentFailure | null {
  if (!result.isError && result.subtype === 'success') return null;
  const message = result.text || result.subtype || 'Claude Code failed and did not say why.';
  const kind = getKind(result, hints, message);
  if (kind !== 'rate_limit' || hints.resetsAtMs === null) return { kind, message };
  return { kind, message, retryAtMs: hints.resetsAtMs };
}

function getKind(result: ClaudeResult, { errorName }: ClaudeHints, message: string): AgentErrorKind {
  return (
    BY_SUBTYPE[result.subtype] ??
    BY_TERMINAL_REASON[result.terminalReason] ??
    getKindOfText(message) ??
    BY_ERROR_NAME[errorName ?? ''] ??
    getKindOfStatus(result.apiErrorStatus) ??
    BY_API_ERROR[result.apiError] ??
    BY_VAGUE_NAME[errorName ?? ''] ??
    (result.subtype === 'error_during_execution' ? 'crash' : 'unknown')
  );
}

type Kinds = Readonly<Record<string, AgentErrorKind>>;

const BY_SUBTYPE: Kinds = {
  error_max_turns: 'max_turns',
  error_max_budget_usd: 'budget',
  error_max_structured_output_retries: 'malformed',
};

const BY_TERMINAL_REASON: Kinds = {
  prompt_too_long: 'context',
  blocking_limit: 'context',
  rapid_refill_breaker: 'context',
  aborted_streaming: 'cancelled',
  aborted_tools: 'cancelled',
  max_turns: 'max_turns',
  budget_exhausted: 'budget',
  malformed_tool_use_exhausted: 'malformed',
  structured_output_retry_exhausted: 'malformed',
};

/** Some failures are told apart only by what they say. */
function getKindOfText(message: string): AgentErrorKind | null {
  if (/prompt is too long|context (window|length)/i.test(message)) return 'context';
  if (/credit balance is too low/i.test(message)) return 'quota';
  if (/JSON Parse error|malformed response/i.test(message)) return 'malformed';
  if (/timed out|idle timeout/i.test(message)) return 'timeout';
  return null;
}

const BY_ERROR_NAME: Kinds = {
  authentication_failed: 'auth',
  oauth_org_not_allowed: 'auth',
  account_on_hold: 'auth',
  verification_required: 'auth',
  cloud_credential_error: 'auth',
  billing_error: 'quota',
  rate_limit: 'rate_limit',
  overloaded: 'overloaded',
  invalid_request: 'bad_request',
  model_not_found: 'bad_request',
};

function getKindOfStatus(status: number | null): AgentErrorKind | null {
  if (status === null) return null;
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 413) return 'context';
  if (status === 429) return 'rate_limit';
  if (status >= 500) return 'overloaded';
  return status >= 400 ? 'bad_request' : null;
}

const BY_API_ERROR: Kinds = { connection_failed: 'network', stream_idle_timeout: 'timeout' };

/** Words that the SDK also uses for what it cannot explain: asked last. */
const BY_VAGUE_NAME: Kinds = { server_error: 'network', max_output_tokens: 'malformed' };
