import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getBackoffMs, getFailureResponse } from './failure-policy.ts';

const NOW = 1_000_000;

describe('the answer to a provider that failed', () => {
  it.each([
    [
      'a rate limit with a reset waits for it',
      'rate_limit',
      1,
      NOW + 3_600_000,
      { type: 'wait', untilMs: NOW + 3_601_000 },
    ],
    [
      'a reset in the past is tried at once',
      'rate_limit',
      1,
      NOW - 5,
      { type: 'wait', untilMs: NOW + 1_000 },
    ],
    [
      'a rate limit without one backs off',
      'rate_limit',
      1,
      undefined,
      { type: 'wait', untilMs: NOW + 5_000 },
    ],
    [
      'and never longer than five minutes',
      'rate_limit',
      30,
      undefined,
      { type: 'wait', untilMs: NOW + 300_000 },
    ],
    ['overload waits half a minute', 'overloaded', 1, undefined, { type: 'wait', untilMs: NOW + 30_000 }],
    ['three times', 'overloaded', 3, undefined, { type: 'wait', untilMs: NOW + 30_000 }],
    ['and then pauses', 'overloaded', 4, undefined, { type: 'pause' }],
    ['a time-out is tried once more', 'timeout', 1, undefined, { type: 'wait', untilMs: NOW }],
    ['and then counts', 'timeout', 2, undefined, { type: 'count' }],
    ['a malformed answer is tried once more', 'malformed', 1, undefined, { type: 'wait', untilMs: NOW }],
    ['and then counts', 'malformed', 2, undefined, { type: 'count' }],
    ['wrong credentials abort', 'auth', 1, undefined, { type: 'abort' }],
    ['a crash counts', 'crash', 1, undefined, { type: 'count' }],
  ] as const)('%s', (_fact, kind, count, retryAtMs, expected) => {
    expect(getFailureResponse(kind, count, { nowMs: NOW, retryAtMs })).toMatchObject(expected);
  });

  it('backs off longer each time, within bounds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), count => {
        expect(getBackoffMs(count + 1)).toBeGreaterThanOrEqual(getBackoffMs(count));
        expect(getBackoffMs(count)).toBeLessThanOrEqual(300_000);
      }),
    );
  });
});
