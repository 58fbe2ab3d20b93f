import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../ports/index.ts';
import { createClaudeReader } from './reader.ts';

const RESULT = { type: 'result', subtype: 'success', is_error: false, result: 'done', session_id: 's' };

function readAll(messages: readonly unknown[], nowMs: () => number = () => 0) {
  const events: AgentEvent[] = [];
  const reader = createClaudeReader('/work', event => events.push(event), nowMs);
  for (const message of messages) reader.read(message);
  return { reader, events };
}

describe('reading the messages of Claude Code', () => {
  test('a command is told with its code and output, a file by its path in the worktree', () => {
    const { events } = readAll([
      ...getCall('1', 'Bash', { command: 'make' }, 'Exit code 2\nno rule', true),
      ...getCall('2', 'Bash', { command: 'ls' }, [{ type: 'text', text: 'a' }], false),
      ...getCall('3', 'Bash', { command: 'rm' }, 'Permission denied', true),
      ...getCall('4', 'Edit', { file_path: '/work/src/a.ts' }, 'ok', false),
      ...getCall('5', 'Read', { file_path: '/etc/passwd' }, 'ok', false),
      ...getCall('6', 'Write', { file_path: '/work/b.ts' }, 'refused', true),
    ]);
    expect(events).toEqual([
      { type: 'command', command: 'make', exitCode: 2, output: 'no rule' },
      { type: 'command', command: 'ls', exitCode: 0, output: 'a' },
      { type: 'command', command: 'rm', exitCode: null, output: 'Permission denied' },
      { type: 'file', action: 'write', path: 'src/a.ts' },
      { type: 'file', action: 'read', path: '/etc/passwd' },
      { type: 'text', text: '[Write b.ts failed] refused' },
    ]);
  });

  test('words of the provider about an error are not words of the agent', () => {
    const { reader, events } = readAll([
      { type: 'assistant', error: 'rate_limit', message: { content: [{ type: 'text', text: 'API Error' }] } },
      { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 5 } },
    ]);
    expect(events).toEqual([]);
    expect(reader.hints()).toEqual({ errorName: 'rate_limit', resetsAtMs: 5_000 });
  });

  test('a turn that goes on after a result takes the result back', () => {
    const { reader } = readAll([RESULT, { type: 'assistant', message: { content: [] } }]);
    expect(reader.lastResult()).toBeNull();
    expect(readAll([RESULT]).reader.lastResult()).toMatchObject({ text: 'done', isError: false });
  });

  test('tokens that were never streamed are counted when the turn ends, and none twice', () => {
    const { reader, events } = readAll([
      { type: 'stream_event', event: { type: 'message_start', message: { usage: { input_tokens: 5 } } } },
      { type: 'stream_event', event: { type: 'message_delta', usage: { output_tokens: 7 } } },
      {
        ...RESULT,
        model_usage_since_last_result: {
          a: { inputTokens: 5, outputTokens: 7, costUSD: 0.5 },
          b: { inputTokens: 1, cacheCreationInputTokens: 2, cacheReadInputTokens: 4, costUSD: 0.25 },
        },
      },
    ]);
    const usage = events.map(event => (event.type === 'usage' ? event.usage : null));
    expect(usage).toEqual([
      { inputTokens: 5, outputTokens: 7, cachedTokens: 0, costUsd: 0 },
      { inputTokens: 3, outputTokens: 0, cachedTokens: 4, costUsd: 0 },
    ]);
    expect(reader.usage()).toEqual({ inputTokens: 8, outputTokens: 7, cachedTokens: 4, costUsd: 0.75 });
  });

  test('a long thought is a sign of life now and then', () => {
    let nowMs = 0;
    const thoughts = Array.from({ length: 100 }, () => ({ type: 'stream_event', event: {} }));
    const { events } = readAll(thoughts, () => {
      nowMs += 1_000;
      return nowMs;
    });
    expect(events.length).toBeGreaterThan(2);
    expect(events.length).toBeLessThan(20);
  });

  test('nothing that a program may say breaks it or makes it a claim', () => {
    const types = fc.constantFrom(
      'assistant',
      'user',
      'result',
      'stream_event',
      'rate_limit_event',
      'system',
    );
    const message = fc.oneof(
      fc.jsonValue(),
      fc.record({ type: types, message: fc.jsonValue(), event: fc.jsonValue(), errors: fc.jsonValue() }),
      fc.record({
        type: types,
        message: fc.record({ content: fc.array(fc.jsonValue()) }),
        usage: fc.jsonValue(),
      }),
      fc.record({ type: types, model_usage_since_last_result: fc.jsonValue(), result: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(fc.array(message), messages => {
        const { reader } = readAll(messages);
        expect(reader.lastResult()?.isError ?? true).toBe(true);
        for (const amount of Object.values(reader.usage())) expect(amount).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 500 },
    );
  });
});

function getCall(id: string, name: string, input: unknown, content: unknown, isError: boolean): unknown[] {
  return [
    { type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input }] } },
    {
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
    },
  ];
}
