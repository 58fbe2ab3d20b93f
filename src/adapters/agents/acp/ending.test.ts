import { describe, expect, test } from 'vitest';
import { type AcpStory, getAcpEnding } from './ending.ts';

const STORY: AcpStory = {
  request: {},
  reply: { stopReason: 'end_turn' },
  error: null,
  problem: null,
  end: null,
  isSilent: false,
  lastMessage: 'All is done.',
  hasSpoken: true,
  exit: 'agent ended with exit code 1 before its turn was over.',
  nowMs: 0,
};

test('a turn that the agent ended is a claim in its own words', () => {
  expect(getAcpEnding(STORY)).toEqual({ outcome: 'claimed', summary: 'All is done.' });
});

describe('no claim is', () => {
  test.each<[string, Partial<AcpStory>, object]>([
    ['a broken output', { problem: 'not JSON' }, { outcome: 'crashed', failure: { kind: 'malformed' } }],
    ['an interrupted turn', { end: 'interrupted' }, { outcome: 'not-done', failure: { kind: 'cancelled' } }],
    ['a stopped session', { end: 'cancelled' }, { outcome: 'not-done', failure: { kind: 'cancelled' } }],
    ['a session whose time is up', { end: 'timeout' }, { outcome: 'timeout', failure: { kind: 'timeout' } }],
    ['silence', { isSilent: true }, { outcome: 'crashed', failure: { kind: 'timeout' } }],
    ['an exit', { reply: null }, { outcome: 'crashed', failure: { kind: 'crash' } }],
    ['a turn without a word', { hasSpoken: false, lastMessage: '' }, { outcome: 'crashed' }],
    ['a refusal', { reply: { stopReason: 'refusal' } }, { outcome: 'not-done' }],
    ['a full context', { reply: { stopReason: 'max_tokens' } }, { failure: { kind: 'context' } }],
    ['too many turns', { reply: { stopReason: 'max_turn_requests' } }, { failure: { kind: 'max_turns' } }],
    ['an end nobody knows', { reply: { stopReason: 'done' } }, { failure: { kind: 'malformed' } }],
    ['an answer that is none', { reply: 'end_turn' }, { failure: { kind: 'malformed' } }],
  ])('%s', (_, more, ending) => {
    expect(getAcpEnding({ ...STORY, ...more })).toMatchObject(ending);
  });

  test.each([
    ['exceeded retry limit, last status: 429 Too Many Requests\n\n', 'rate_limit'],
    ['API Error: 529 Overloaded.', 'overloaded'],
    ['stream disconnected before completion: Transport error: network error', 'network'],
    ['{"error":{"message":"prompt is too long: 210000 tokens"}}', 'context'],
    ["You've hit your usage limit. Try again at 8:00 AM.", 'quota'],
  ])('a failure told as last words: %s', (lastMessage, kind) => {
    expect(getAcpEnding({ ...STORY, lastMessage })).toMatchObject({ outcome: 'crashed', failure: { kind } });
  });
});

test.each([
  'I handle the 429 now: API Error pages are shown to the user.',
  'The rate limit is exceeded only after ten calls, as the test wants.',
])('an agent may speak of failures: %s', lastMessage => {
  expect(getAcpEnding({ ...STORY, lastMessage }).outcome).toBe('claimed');
});

test.each([
  [{ code: -32_000, message: 'Authentication required' }, 'auth'],
  [{ code: -32_000, message: 'Log in first' }, 'auth'],
  [{ code: -32_603, message: 'Internal error: API Error: Request rejected (429)' }, 'rate_limit'],
  [{ code: -32_603, message: 'Internal error', data: { details: 'context window exceeded' } }, 'context'],
  [{ code: -32_603, message: 'Internal error: hm', data: { errorKind: 'billing_error' } }, 'quota'],
  [{ code: -32_603, message: '' }, 'unknown'],
])('the error %o has its kind', (error, kind) => {
  expect(getAcpEnding({ ...STORY, reply: null, error })).toMatchObject({
    outcome: 'crashed',
    failure: { kind },
  });
});
