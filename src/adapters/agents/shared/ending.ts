import type {
  AgentErrorKind,
  AgentFailure,
  AgentMode,
  AgentResult,
  SessionRequest,
} from '../../../ports/index.ts';
import { parseStructured } from './structured.ts';

/** Why a session was ended from outside. */
export type SessionEnd = 'cancelled' | 'timeout' | 'interrupted';

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
export function getTurnEnding(
  { mode, schema }: Pick<SessionRequest, 'mode' | 'schema'>,
  text: string,
  fallback: string,
): Ending {
  const summary = text.trim() || fallback;
  const silent = text.trim() ? {} : { silent: true as const };
  if (mode !== 'complete' || !schema) return { outcome: 'claimed', summary, ...silent };
  const answer = parseStructured(text, schema);
  if (answer.ok) return { outcome: 'claimed', summary, structured: answer.value };
  return getFailedEnding({ kind: 'malformed', message: answer.why, words: text }, null);
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

/** A provider's failure from its words alone, for agents that tell nothing else. */
export function getFailureOfText(message: string, nowMs: number): AgentFailure {
  const kind = PATTERNS.find(([pattern]) => pattern.test(message))?.[1] ?? 'unknown';
  const retryAtMs = kind === 'rate_limit' || kind === 'quota' ? getRetryAtMs(message, nowMs) : null;
  return { kind, message, ...(retryAtMs === null ? {} : { retryAtMs }) };
}

/** The first that fits decides: what is wrong with the account comes before what broke on the way. */
const PATTERNS: readonly (readonly [RegExp, AgentErrorKind])[] = [
  [/quota|usage limit|purchase more credits|credit balance/i, 'quota'],
  [/\b429\b|rate.?limit|too many requests/i, 'rate_limit'],
  [/context.?(window|length)|prompt is too long|maximum context/i, 'context'],
  [/\b40[13]\b|unauthorized|forbidden|not logged in|invalid.api.key|authentication/i, 'auth'],
  [/at capacity|overloaded|high demand|service unavailable|\bstatus:? (500|502|503|529)\b/i, 'overloaded'],
  [/idle timeout|timed out|timeout waiting|\bstatus:? (408|504)\b/i, 'timeout'],
  [/failed to parse|invalid json|json parse error|utf-?8 error|incomplete response/i, 'malformed'],
  [/stream (disconnected|closed)|connection|error sending request|transport error|network/i, 'network'],
  [/\bstatus:? 4\d\d\b|invalid_request|model_not_found|not supported/i, 'bad_request'],
];

/** When it says to come back: after a while, or at a time of day. */
function getRetryAtMs(message: string, nowMs: number): number | null {
  const after = /(?:try again|retry) (?:in|after) ([\d.]+)\s*(ms|s|m|h|d)/i.exec(message);
  if (after) return nowMs + Number(after[1]) * (UNIT_MS[(after[2] ?? 's').toLowerCase()] ?? 1_000);
  const at = /try again at ([^.]+)/i.exec(message)?.[1];
  return at === undefined ? null : parseTime(at.replace(/(\d)(st|nd|rd|th)\b/, '$1'), nowMs);
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A date with a time, or a time alone, which is the next one on the clock. */
function parseTime(text: string, nowMs: number): number | null {
  const whole = Date.parse(text);
  if (!Number.isNaN(whole)) return whole;
  const today = Date.parse(`${new Date(nowMs).toDateString()} ${text}`);
  if (Number.isNaN(today)) return null;
  return today >= nowMs ? today : today + 86_400_000;
}
