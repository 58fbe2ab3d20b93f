import { expect, test } from 'vitest';
import { getFailureOfText } from './ending.ts';

const NOW_MS = Date.parse('2026-11-15T12:00:00Z');

test.each([
  ['exceeded retry limit, last status: 429 Too Many Requests', 'rate_limit'],
  ['rate limit exceeded: Rate limit reached for gpt-5 on tokens per min.', 'rate_limit'],
  ['Quota exceeded. Check your plan and billing details.', 'quota'],
  ['You’ve hit your usage limit. Visit a page to purchase more credits.', 'quota'],
  ['Selected model is at capacity. Please try a different model.', 'overloaded'],
  ['unexpected status 503 Service Unavailable: x, url: http://127.0.0.1:35559/v1/responses', 'overloaded'],
  ['unexpected status 529 <unknown status code>: Overloaded', 'overloaded'],
  ['We’re currently experiencing high demand, which may cause temporary errors.', 'overloaded'],
  ['unexpected status 401 Unauthorized: Incorrect API key', 'auth'],
  ['unexpected status 403 Forbidden: nope', 'auth'],
  ["Codex ran out of room in the model's context window.", 'context'],
  ['{"error":{"message":"prompt is too long","code":"invalid_request_error"}}', 'context'],
  ['stream disconnected before completion: idle timeout waiting for SSE', 'timeout'],
  ['stream disconnected before completion: Transport error: network error', 'network'],
  ['stream disconnected before completion: stream closed before response.completed', 'network'],
  ['Connection failed: error sending request', 'network'],
  ['stream disconnected before completion: UTF8 error: invalid utf-8 sequence', 'malformed'],
  ['Failed to parse item: {"type":', 'malformed'],
  ['{"error":{"message":"bad","code":"invalid_request_error"}}', 'bad_request'],
  ['unexpected status 404 Not Found: no such model', 'bad_request'],
  ['Something nobody has ever said.', 'unknown'],
])('%s is %s', (message, kind) => {
  expect(getFailureOfText(message, NOW_MS)).toMatchObject({ kind, message });
});

test.each([
  ['Rate limit reached. Please try again in 11.054s.', NOW_MS + 11_054],
  ['Rate limit reached. Please try again in 250ms.', NOW_MS + 250],
  ['Rate limit reached. Try again in 5 minutes.', NOW_MS + 300_000],
  ["You've hit your usage limit. Try again at Jan 15th, 2027 8:00 AM.", Date.parse('Jan 15, 2027 8:00 AM')],
  ["You've hit your usage limit. Try again at 11:59 PM.", Date.parse('Nov 15, 2026 11:59 PM')],
  ['Rate limit reached. Please try again at some point.', undefined],
])('%s names its time', (message, retryAtMs) => {
  expect(getFailureOfText(message, NOW_MS).retryAtMs).toBe(retryAtMs);
});

test('a time of day that is over today is meant for tomorrow', () => {
  const { retryAtMs = 0 } = getFailureOfText('usage limit, try again at 00:01', NOW_MS);
  expect(retryAtMs - NOW_MS).toBeGreaterThan(0);
  expect(retryAtMs - NOW_MS).toBeLessThanOrEqual(86_400_000);
});
