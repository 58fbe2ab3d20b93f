import { describe, expect, test } from 'vitest';
import type { AgentErrorKind } from '../../../ports/index.ts';
import { type ClaudeStory, getClaudeEnding } from './ending.ts';
import type { ClaudeResult } from './sdk.ts';

const WELL: ClaudeResult = {
  subtype: 'success',
  isError: false,
  text: 'done',
  stopReason: 'end_turn',
  terminalReason: 'completed',
  apiError: '',
  apiErrorStatus: null,
  structured: undefined,
  isEmpty: false,
  queuedTurns: 0,
  usage: null,
};

const STORY: ClaudeStory = {
  request: { mode: 'exec' },
  result: WELL,
  hints: { errorName: null, resetsAtMs: null },
  end: null,
  crash: null,
  lastText: 'last words',
};

const FORM = { request: { mode: 'complete', schema: {} } } as const;

describe('the end of a session', () => {
  test('a turn that the model ended is a claim, in its own words', () => {
    expect(getClaudeEnding(STORY)).toEqual({ outcome: 'claimed', summary: 'done' });
    expect(getClaudeEnding({ ...STORY, result: { ...WELL, text: '' } }).summary).toBe('last words');
  });

  test.each<[string, Partial<ClaudeStory>, string, AgentErrorKind | undefined]>([
    ['no result at all', { result: null, crash: 'exited with code 1' }, 'crashed', 'crash'],
    ['a refusal', { result: { ...WELL, stopReason: 'refusal' } }, 'not-done', undefined],
    [
      'a turn ended by a hook',
      { result: { ...WELL, terminalReason: 'hook_stopped' } },
      'not-done',
      undefined,
    ],
    ['a success with an error in it', { result: { ...WELL, isError: true } }, 'crashed', 'unknown'],
    ['a stop by the caller', { result: null, end: 'cancelled' }, 'not-done', 'cancelled'],
    ['the clock', { result: null, end: 'timeout' }, 'timeout', 'timeout'],
    [
      'an interrupt',
      { result: failed({ subtype: 'error_during_execution' }), end: 'interrupted' },
      'not-done',
      'cancelled',
    ],
    ['too many turns', { result: failed({ subtype: 'error_max_turns' }) }, 'not-done', 'max_turns'],
    ['nothing said and nothing done', { result: { ...WELL, isEmpty: true } }, 'crashed', 'malformed'],
    ['no answer in the form asked for', FORM, 'crashed', 'malformed'],
    [
      'no turn left for the form',
      { ...FORM, result: failed({ subtype: 'error_max_turns' }) },
      'crashed',
      'malformed',
    ],
  ])('%s is no claim', (_, story, outcome, kind) => {
    const ending = getClaudeEnding({ ...STORY, ...story });
    expect(ending.outcome).toBe(outcome);
    expect(ending.failure?.kind).toBe(kind);
  });

  test('a claim that was made before the stop came stays one', () => {
    expect(getClaudeEnding({ ...STORY, end: 'timeout' }).outcome).toBe('claimed');
  });

  test.each<[AgentErrorKind, Partial<ClaudeResult>, string | null]>([
    ['auth', { apiErrorStatus: 401 }, null],
    ['auth', {}, 'authentication_failed'],
    ['quota', { text: 'Credit balance is too low', apiErrorStatus: 400 }, 'invalid_request'],
    ['quota', { apiErrorStatus: 402 }, null],
    ['rate_limit', { apiErrorStatus: 429 }, 'rate_limit'],
    ['overloaded', { apiErrorStatus: 529 }, 'server_error'],
    ['overloaded', { apiErrorStatus: 500 }, 'server_error'],
    ['network', { apiError: 'connection_failed' }, 'server_error'],
    ['timeout', { apiError: 'stream_idle_timeout' }, 'unknown'],
    ['timeout', { text: 'Request timed out' }, 'server_error'],
    ['malformed', { text: 'API Error: JSON Parse error: Unterminated string' }, 'unknown'],
    ['context', { terminalReason: 'prompt_too_long', apiErrorStatus: 400 }, 'invalid_request'],
    ['context', { apiErrorStatus: 413 }, null],
    ['bad_request', { apiErrorStatus: 400 }, 'invalid_request'],
    ['bad_request', { apiErrorStatus: 404 }, 'model_not_found'],
    ['budget', { subtype: 'error_max_budget_usd' }, null],
    ['crash', { subtype: 'error_during_execution' }, null],
    ['unknown', {}, null],
  ])('the failure kind is %s for %j', (kind, result, errorName) => {
    const hints = { errorName, resetsAtMs: null };
    expect(getClaudeEnding({ ...STORY, hints, result: failed(result) }).failure?.kind).toBe(kind);
  });

  test('only a rate limit tells when to come back', () => {
    const hints = { errorName: null, resetsAtMs: 99 };
    const limited = getClaudeEnding({ ...STORY, hints, result: failed({ apiErrorStatus: 429 }) });
    expect(limited.failure?.retryAtMs).toBe(99);
    const other = getClaudeEnding({ ...STORY, hints, result: failed({ apiErrorStatus: 529 }) });
    expect(other.failure).not.toHaveProperty('retryAtMs');
  });
});

function failed(more: Partial<ClaudeResult>): ClaudeResult {
  return { ...WELL, isError: true, text: '', terminalReason: 'api_error', ...more };
}
