import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { getOrientation } from '../src/core/prompt/brief.ts';
import { simPolicy } from '../test/sim/sim-policy.ts';
import { makeHalfDone } from '../test/support/half-done.ts';
import type { BenchOptions } from './bench-options.ts';
import { getRatioResult, type Report } from './result.ts';

const LIMIT_TOKENS = 500;
const MAX_GROWTH = 1.05;

/** What an agent is told before it starts, in tokens: short, and as short in a project twenty times as large. */
export async function measureOrientation({ say }: BenchOptions): Promise<Report> {
  const fifty = countTokens(50);
  const thousand = countTokens(1_000);
  say(`  ${fifty} tokens at 50 tasks, ${thousand} at 1,000`);
  return {
    floors: [{ name: 'orientation at 50 tasks', value: fifty, unit: 'tokens' }],
    results: [
      getRatioResult('orientation-of-500-tokens', 1, fifty, LIMIT_TOKENS),
      getRatioResult('orientation-growth-to-1000-tasks', MAX_GROWTH, thousand, fifty),
    ],
  };
}

/** The longest there is: the task that builds on all the others. */
function countTokens(tasks: number): number {
  const state = makeHalfDone(tasks);
  const task = state.tasks.get(String(tasks));
  if (!task) throw new Error(`there is no task ${tasks}`);
  return encode(getOrientation(state, task, simPolicy)).length;
}
