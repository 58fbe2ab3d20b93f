import type { AgentErrorKind, AgentFailure } from '../../../ports/index.ts';
import type { ClaudeResult } from './sdk.ts';

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
export function getClaudeFailure(result: ClaudeResult, hints: ClaudeHints): AgentFailure | null {
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
