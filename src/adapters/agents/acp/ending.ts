import { getFields, getText } from '../../../core/base/json.ts';
import type { AgentFailure, SessionRequest } from '../../../ports/index.ts';
import {
  ALL_EMPTY,
  type Ending,
  getFailedEnding,
  getFailureOfText,
  getTurnEnding,
  getWatchedFailure,
  type SessionEnd,
} from '../shared/ending.ts';

/** All that is known of a session when it is over. */
export interface AcpStory {
  readonly request: Pick<SessionRequest, 'mode' | 'schema'>;
  /** The answer to the prompt; null when there was none. */
  readonly reply: unknown;
  /** What was thrown instead of an answer. */
  readonly error: unknown;
  /** What was wrong with the agent's output. */
  readonly problem: string | null;
  /** Who ended it before the answer came. */
  readonly end: SessionEnd | null;
  readonly isSilent: boolean;
  readonly lastMessage: string;
  readonly hasSpoken: boolean;
  /** How the program ended, for people. */
  readonly exit: string;
  readonly nowMs: number;
}

/** What the end of a session means: a claim only when the agent itself ended its turn, and well. */
export function getAcpEnding(story: AcpStory): Ending {
  const { reply, problem, end, isSilent, lastMessage } = story;
  if (problem) return getFailedEnding({ kind: 'malformed', message: problem }, end);
  if (end) return getFailedEnding(getWatchedFailure(end), end);
  // Stopped for its silence, it may still say that it was stopped.
  if (isSilent) return getFailedEnding(SILENT, null);
  if (reply === null) return getFailedEnding(getFailure(story), null);
  const stopReason = getText(getFields(reply).stopReason);
  if (stopReason === 'end_turn') return getEndOfTurn(story);
  if (stopReason === 'refusal') return { outcome: 'not-done', summary: lastMessage || 'The agent refused.' };
  const failure = STOPS[stopReason];
  if (failure) return getFailedEnding(failure, null);
  const message = 'The agent ended its turn in a way that the protocol does not know.';
  return getFailedEnding({ kind: 'malformed', message }, null);
}

const STOPS: Readonly<Record<string, AgentFailure>> = {
  max_tokens: { kind: 'context', message: 'The agent reached the limit of its tokens.' },
  max_turn_requests: { kind: 'max_turns', message: 'The agent asked its model too often in one turn.' },
  cancelled: { kind: 'cancelled', message: 'The turn was interrupted.' },
};

/** Some agents tell a failure of their provider as if it were their own last words. */
function getEndOfTurn({ request, lastMessage, hasSpoken, nowMs }: AcpStory): Ending {
  const text = lastMessage.trim();
  if (REPORTED_FAILURE.test(text)) return getFailedEnding(getFailureOfText(text, nowMs), null);
  if (!hasSpoken) return getFailedEnding(ALL_EMPTY, null);
  return getTurnEnding(request, text, 'The agent ended its turn.');
}

/** Only how such a message begins is telling: an agent may well speak of a 429 that it has handled. */
const REPORTED_FAILURE =
  /^(API Error\b|Internal error\b|exceeded retry limit|unexpected status \d{3}\b|stream (disconnected|closed)\b|Selected model is at capacity|We.re currently experiencing high demand|Quota exceeded|You.ve hit your usage limit|rate limit exceeded|Connection failed:|Reconnecting\.\.\.|Codex ran out of room|Incomplete response returned|Prompt is too long|Invalid API key|\{"error":)/i;

const SILENT: AgentFailure = {
  kind: 'timeout',
  message: 'Nothing was heard of the agent for too long.',
};

function getFailure({ error, exit, nowMs }: AcpStory): AgentFailure {
  const { code, message, data } = getFields(error);
  if (typeof code !== 'number') return { kind: 'crash', message: exit };
  const { details, errorKind } = getFields(data);
  const text = [getText(message).replace(/^Internal error:? */, ''), getText(details)]
    .filter(Boolean)
    .join(' ');
  const failure = getFailureOfText(text || 'The agent failed and did not say why.', nowMs);
  if (failure.kind !== 'unknown') return failure;
  const kind = code === AUTH_REQUIRED ? 'auth' : (ERROR_KINDS[getText(errorKind)] ?? 'unknown');
  return { ...failure, kind };
}

const AUTH_REQUIRED = -32_000;

const ERROR_KINDS: Readonly<Record<string, AgentFailure['kind']>> = {
  rate_limit: 'rate_limit',
  authentication_failed: 'auth',
  billing_error: 'quota',
  overloaded: 'overloaded',
  server_error: 'overloaded',
  invalid_request: 'bad_request',
};
