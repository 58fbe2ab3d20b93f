import type { AgentErrorKind, AgentFailure } from '../../../ports/index.ts';

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
