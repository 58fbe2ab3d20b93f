import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { useTempDir } from '../../../../test/support/real-processes.ts';
import type { AgentEvent } from '../../../ports/index.ts';
import { createCodexMeter } from './usage.ts';

const makeDir = useTempDir();

function getLine(input: number, cached: number, output: number): string {
  const usage = { input_tokens: input, cached_input_tokens: cached, output_tokens: output };
  return `${JSON.stringify({ type: 'token_usage_record', payload: { usage } })}\n`;
}

function open(resumed?: string) {
  const home = makeDir();
  const file = join(home, 'sessions', '2026', '11', '15', 'rollout-x-thread-1.jsonl');
  mkdirSync(dirname(file), { recursive: true });
  const events: AgentEvent[] = [];
  const start = () => createCodexMeter(home, resumed, event => events.push(event));
  return { file, events, start };
}

test('each answer is counted once, as soon as it is written down', () => {
  const { file, events, start } = open();
  const meter = start();
  meter.follow('thread-1');
  meter.look();
  appendFileSync(file, getLine(100, 40, 10));
  meter.look();
  meter.look();
  expect(events).toEqual([
    {
      type: 'usage',
      usage: { inputTokens: 60, outputTokens: 10, cachedTokens: 40, costUsd: 0 },
      contextTokens: 110,
    },
  ]);
  expect(meter.usage()).toMatchObject({ inputTokens: 60, cachedTokens: 40 });
});

test('a record that is only half written is counted when it is whole', () => {
  const { file, start } = open();
  const meter = start();
  meter.follow('thread-1');
  const line = getLine(100, 0, 10);
  appendFileSync(file, line.slice(0, 30));
  meter.look();
  expect(meter.usage().inputTokens).toBe(0);
  appendFileSync(file, line.slice(30));
  meter.look();
  expect(meter.usage().inputTokens).toBe(100);
});

test('what a resumed thread used before is not counted again', () => {
  const { file, start } = open('thread-1');
  appendFileSync(file, getLine(1_000, 0, 100));
  const meter = start();
  meter.follow('thread-1');
  appendFileSync(file, getLine(7, 0, 3));
  meter.endTurn({ input_tokens: 1_007, output_tokens: 103 });
  expect(meter.usage()).toMatchObject({ inputTokens: 7, outputTokens: 3 });
});

test('without records the totals of a thread are turned into differences', () => {
  const { events, start } = open();
  const meter = start();
  meter.follow('thread-2');
  meter.endTurn({ input_tokens: 100, cached_input_tokens: 40, output_tokens: 10 });
  meter.endTurn({ input_tokens: 150, cached_input_tokens: 60, output_tokens: 15 });
  expect(meter.usage()).toMatchObject({ inputTokens: 90, cachedTokens: 60, outputTokens: 15 });
  expect(events).toHaveLength(2);
});
