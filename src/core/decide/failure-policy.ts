import type { AgentErrorKind } from '../model/agent-event.ts';
import type { RateLimitRules } from '../model/policy.ts';

/** What becomes of the work after a provider failed. */
export type FailureResponse =
  /** Wait, then go on with a new attempt; the old one does not count. */
  | { readonly type: 'wait'; readonly untilMs: number; readonly why: string }
  /** Stop the run and tell the person; nothing is lost. */
  | { readonly type: 'pause'; readonly why: string }
  /** Stop the run: only a person can put this right. */
  | { readonly type: 'abort'; readonly why: string }
  /** The attempt is over and counts. */
  | { readonly type: 'count'; readonly why: string };

const NO_LIMITS: RateLimitRules = { backoffMs: null, maxRetries: null };
const OVERLOADED_WAIT_MS = 30_000;
const MAX_BACKOFF_MS = 300_000;
const FIRST_BACKOFF_MS = 5_000;
/** A reset further away than this is a quota, and waiting for it in silence would waste the run. */
const SLACK_MS = 1_000;

/**
 * One row per kind of failure. `count` is how many times in a row this provider has failed that way,
 * this one included; the answer is a moment on the clock, so that a restart waits no longer and no shorter.
 */
export function getFailureResponse(
  kind: AgentErrorKind,
  count: number,
  { nowMs, retryAtMs }: { readonly nowMs: number; readonly retryAtMs: number | undefined },
  { backoffMs, maxRetries }: RateLimitRules = NO_LIMITS,
): FailureResponse {
  switch (kind) {
    case 'rate_limit':
    case 'quota':
      if (maxRetries !== null && count > maxRetries)
        return { type: 'pause', why: `the provider goes on limiting after ${maxRetries} waits` };
      return waitUntil(
        retryAtMs === undefined
          ? nowMs + (backoffMs ?? getBackoffMs(count))
          : Math.max(retryAtMs, nowMs) + SLACK_MS,
        kind,
      );
    case 'overloaded':
      if (count <= 3) return waitUntil(nowMs + OVERLOADED_WAIT_MS, `${kind}, try ${count} of 3`);
      return { type: 'pause', why: 'the provider is overloaded and stayed so after three waits' };
    case 'network':
      if (count <= 5) return waitUntil(nowMs + getBackoffMs(count), kind);
      return { type: 'pause', why: 'the provider cannot be reached' };
    case 'timeout':
      if (count <= 1) return waitUntil(nowMs, 'timeout, tried once more');
      return { type: 'count', why: 'the provider did not answer, twice' };
    case 'malformed':
      if (count <= 1) return waitUntil(nowMs, 'malformed answer, tried once more');
      return { type: 'count', why: 'the provider answered with something malformed, twice' };
    case 'start':
      return { type: 'pause', why: 'the program of the agent could not be started' };
    case 'auth':
      return { type: 'abort', why: 'the provider does not accept the credentials' };
    case 'bad_request':
    case 'context':
    case 'max_turns':
    case 'budget':
    case 'cancelled':
    case 'crash':
    case 'unknown':
      return { type: 'count', why: kind };
  }
}

/** Doubles from five seconds, never above five minutes. */
export function getBackoffMs(count: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** Math.max(0, count - 1), MAX_BACKOFF_MS);
}

function waitUntil(untilMs: number, why: string): FailureResponse {
  return { type: 'wait', untilMs, why };
}
