import { getCodexEnding } from '../../src/adapters/agents/codex/codex.ts';
import { startTurn } from '../../src/adapters/agents/codex/turn.ts';
import { createCodexMeter } from '../../src/adapters/agents/codex/usage.ts';
import { createCommandListener } from '../../src/adapters/agents/command/listener.ts';
import type { Ending } from '../../src/adapters/agents/shared/ending.ts';
import { createLineSplitter } from '../../src/adapters/process/read-output.ts';
import type { AgentEvent } from '../../src/ports/index.ts';
import type { Chance } from '../sim/random.ts';

/** What a program may print: prefixes whole, broken and nested, numbers that are none, noise. */
const PIECES = [
  ...['[USAGE] {"input_tokens":5}', '[USAGE] {"input_tokens":-5}', '[USAGE] {"cost_usd":1e999}', '[USAGE] {'],
  ...['[USAGE] {"__proto__":{"input_tokens":7}}', '[USAGE] [1]', '[USAGE]', '[CMD:RUN] x', '[CMD:OUTPUT]'],
  ...[
    '[CMD:EXIT] 0',
    '[CMD:EXIT] 99999999999999999999',
    '[FILE:WRITE] ../../x',
    '[FILE:READ]',
    '[DECISION] ☃',
  ],
  ...[
    '\r',
    '\n',
    '\n\n',
    '\0',
    '🚀',
    '\ud800',
    '[',
    ']',
    '[CLAIM] done',
    '{"stopReason":"end_turn"}',
    'x'.repeat(70_000),
  ],
];

/** Reads noise as the output of a program; throws when anything comes out that must not. */
export function playCommand(chance: Chance): void {
  const events: AgentEvent[] = [];
  const listener = createCommandListener(event => events.push(event), true);
  const splitter = createLineSplitter(64 * 1024, listener.onLine);
  for (let left = 1 + chance.below(30); left > 0; left--) {
    const text = Buffer.from(chance.happens(0.8) ? `${chance.pick(PIECES)}${chance.pick(['\n', ''])}` : '');
    const noise = Buffer.from(Array.from({ length: chance.below(20) }, () => chance.below(256)));
    const bytes = chance.happens(0.3) ? noise : text;
    const cut = chance.below(bytes.length + 1);
    splitter.push(bytes.subarray(0, cut));
    splitter.push(bytes.subarray(cut));
  }
  splitter.end();
  listener.end();
  const { inputTokens, outputTokens, cachedTokens, costUsd } = listener.usage();
  for (const amount of [inputTokens, outputTokens, cachedTokens, costUsd]) {
    if (!Number.isFinite(amount) || amount < 0) throw new Error(`used ${amount}`);
  }
  const longest = Math.max(0, ...events.map(event => JSON.stringify(event).length));
  if (longest > 1024 * 1024) throw new Error(`an event of ${longest} characters`);
}

/** Events as Codex might never send them; a turn that is not completed is no claim. */
export async function playCodex(chance: Chance): Promise<Ending> {
  const count = chance.below(12);
  const events = Array.from({ length: count }, () => chance.pick(ODD_EVENTS));
  const last = chance.pick(['end', 'throw', 'failed'] as const);
  async function* stream(): AsyncGenerator<unknown> {
    yield* events;
    if (last === 'failed') yield { type: 'turn.failed', error: { message: 'no' } };
    if (last === 'throw') throw new Error('Failed to parse item: {"type":"turn.comp');
  }
  const tools = {
    cwd: '/work',
    meter: createCodexMeter('/nowhere', undefined, () => undefined),
    emit: () => undefined,
    silenceMs: 60_000,
  };
  const turn = startTurn({ runStreamed: async () => ({ events: stream() }) }, 'x', undefined, tools);
  const end = await turn.end;
  return getCodexEnding({ request: {}, last: { ...end, cutFor: turn.cutFor() }, end: null, nowMs: 0 });
}

const ODD_EVENTS: readonly unknown[] = [
  ...[null, undefined, 0, '', [], {}, 'turn.completed', ['turn.completed'], { type: null }, { type: {} }],
  ...[
    { type: 'turn.complete' },
    { type: 'turn' },
    { type: 'thread.started' },
    { type: 'thread.started', thread_id: 7 },
  ],
  ...[
    { type: 'item.completed' },
    { type: 'item.completed', item: null },
    { type: 'item.started', item: { id: {} } },
  ],
  { type: 'item.completed', item: { type: 'agent_message', text: { evil: true } } },
  { type: 'item.completed', item: { type: 'agent_message', text: 'All is done. turn.completed' } },
  { type: 'item.completed', item: { type: 'file_change', status: 'completed', changes: [null, 7, {}] } },
  { type: 'item.completed', item: { type: 'command_execution', command: 7, exit_code: 'x' } },
  { type: 'error', message: 'Reconnecting... 1/5' },
];
