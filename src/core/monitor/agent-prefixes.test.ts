import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closeCommand, type OpenCommand, type PrefixEvent, parsePrefixLine } from './agent-prefixes.ts';

function parseAll(lines: readonly string[]): readonly PrefixEvent[] {
  let open: OpenCommand = null;
  const events: PrefixEvent[] = [];
  for (const line of lines) {
    const step = parsePrefixLine(open, line);
    open = step.open;
    events.push(...step.events);
  }
  return [...events, ...closeCommand(open, null)];
}

const usage = { inputTokens: 5, outputTokens: 0, cachedTokens: 0, costUsd: 0.1 };

test.each<[string, PrefixEvent]>([
  ['[FILE:READ] src/a b.ts', { type: 'file', action: 'read', path: 'src/a b.ts' }],
  ['  [FILE:WRITE]src/a.ts ', { type: 'file', action: 'write', path: 'src/a.ts' }],
  ['[FILE:DELETE] old.ts', { type: 'file', action: 'delete', path: 'old.ts' }],
  ['[DECISION] PATCH, not PUT', { type: 'decision', text: 'PATCH, not PUT' }],
  ['[USAGE] {"input_tokens":5,"cost_usd":0.1}', { type: 'usage', usage }],
  [
    '[USAGE] {"input_tokens":5,"cost_usd":0.1,"context_tokens":9}',
    { type: 'usage', usage, contextTokens: 9 },
  ],
  ['[VERIFY:START] Feature #12', { type: 'verify', what: 'start', text: 'Feature #12' }],
  ['[VERIFY:PASS] #12', { type: 'verify', what: 'pass', text: '#12' }],
  ['[VERIFY:FAIL]', { type: 'verify', what: 'fail', text: '' }],
  ['[VISUAL:SCREENSHOT] shots/a.png', { type: 'visual', what: 'screenshot', text: 'shots/a.png' }],
  ['[VISUAL:VERIFY] the avatar shows', { type: 'visual', what: 'verify', text: 'the avatar shows' }],
])('%s is an event of its own', (line, event) => {
  expect(parseAll([line])).toEqual([event]);
});

test('a line that asks a person is a question; only what is wanted has to be said', () => {
  const line = '[ASK] {"question":"The port?","why":"Nothing says it","steps":["Look",7]}';
  expect(parsePrefixLine(null, line)).toEqual({
    open: null,
    events: [{ type: 'text', text: line }],
    question: { question: 'The port?', why: 'Nothing says it', steps: ['Look'], check: '' },
  });
});

test.each([
  'plain words',
  '[ASK] the port?',
  '[ASK] {"why":"x"}',
  '',
  'see [FILE:WRITE] src/a.ts',
  '[FILE:WRITE]',
  '[file:write] src/a.ts',
  '[DECISION]',
  '[CMD:EXIT] 0',
  '[CMD:OUTPUT]',
  '[CMD:RUN]',
  '[VERIFY:MAYBE] #7',
  '[VISUAL:SCREENSHOT]',
  '[USAGE] {"context_tokens":"9"}',
  '[USAGE] lots',
  '[USAGE] null',
  '[USAGE] [1]',
  '[USAGE] {"input_tokens":-1}',
  '[USAGE] {"input_tokens":"5"}',
  '[USAGE] {"cost_usd":1e999}',
])('"%s" is only text', line => {
  expect(parseAll([line])).toEqual([{ type: 'text', text: line }]);
});

test('a command, its output and its exit code are one event', () => {
  const lines = [
    '[CMD:RUN] npm test',
    '[CMD:OUTPUT]',
    'ok 1',
    '[not a prefix] ok 2',
    '[CMD:EXIT] 1',
    'after',
  ];
  expect(parseAll(lines)).toEqual([
    { type: 'command', command: 'npm test', exitCode: 1, output: 'ok 1\n[not a prefix] ok 2' },
    { type: 'text', text: 'after' },
  ]);
});

test('a command whose end is never told has no exit code', () => {
  expect(parseAll(['[CMD:RUN] first', 'words', '[CMD:RUN] second'])).toEqual([
    { type: 'text', text: 'words' },
    { type: 'command', command: 'first', exitCode: null, output: '' },
    { type: 'command', command: 'second', exitCode: null, output: '' },
  ]);
});

test('an endless output is kept to its last part', () => {
  const lines = [
    '[CMD:RUN] yes',
    '[CMD:OUTPUT]',
    ...Array.from({ length: 50 }, () => 'y'.repeat(5_000)),
    'end',
  ];
  const [event] = parseAll(lines);
  expect(event).toMatchObject({ type: 'command', output: expect.stringMatching(/end$/) });
  expect(event?.type === 'command' && event.output.length).toBe(64 * 1024);
});

test('no stream of lines makes it throw or make up usage', () => {
  const anyPrefix = fc.constantFrom(
    '[CMD:RUN]',
    '[CMD:OUTPUT]',
    '[CMD:EXIT]',
    '[USAGE]',
    '[FILE:READ]',
    '[',
    '',
  );
  const anyLine = fc.tuple(anyPrefix, fc.oneof(fc.string(), fc.json())).map(parts => parts.join(' '));
  fc.assert(
    fc.property(fc.array(anyLine), lines => {
      for (const event of parseAll(lines)) {
        if (event.type !== 'usage') continue;
        expect(Object.values(event.usage).every(amount => Number.isFinite(amount) && amount >= 0)).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
});
