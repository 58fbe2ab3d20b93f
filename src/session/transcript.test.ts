import { expect, it } from 'vitest';
import { createStepBench } from '../../test/support/step-bench.ts';

const LINES = [
  { atMs: 1, type: 'prompt', text: 'all the rules' },
  { atMs: 2, type: 'file', action: 'write', path: 'src/1' },
  { atMs: 3, type: 'command', command: 'npm test', exitCode: 1, output: 'red' },
  { atMs: 4, type: 'text', text: 'now the mail' },
];

const USED = { inputTokens: 100, outputTokens: 10, cachedTokens: 0, costUsd: 0.04 };

async function dieInSession(text: string) {
  const bench = await createStepBench({
    wrap: ports => ({
      ...ports,
      artifacts: {
        ...ports.artifacts,
        closeTranscript: async path => ({ path, sha256: 's' }),
        read: async () => text,
      },
    }),
  });
  await bench.walkTo('ready');
  Object.assign(bench.git.slots.get(1) ?? {}, { 'src/1': 'half' });
  const ref = { task: '1', attempt: 1, session: 1 } as const;
  await bench.ctx.record([{ type: 'session.started', ...ref, provider: 'sim', prompt: 'coding' }]);
  return { bench, ref };
}

it('what a session used before a kill is counted from its transcript, and never twice', async () => {
  const used = JSON.stringify({ atMs: 1, type: 'usage', usage: USED });
  const chatter = `${JSON.stringify({ atMs: 2, type: 'text', text: '"usage"' })}\n`.repeat(2_500);
  const { bench, ref } = await dieInSession(`${used}\n${used}\n${chatter}${used}\n`);
  await bench.ctx.record([{ type: 'session.spent', ...ref, usage: USED }]);
  await bench.perform('interrupt');
  const expected = { inputTokens: 300, outputTokens: 30, costUsd: expect.closeTo(0.12) };
  expect(bench.journal.state.costs.usage).toMatchObject(expected);
  expect(bench.journal.state.tasks.get('1')?.usage).toMatchObject(expected);
});

it('what was recorded stays counted when the transcript is lost', async () => {
  const { bench, ref } = await dieInSession('');
  await bench.ctx.record([{ type: 'session.spent', ...ref, usage: USED }]);
  await bench.perform('interrupt');
  expect(bench.journal.state.costs.usage).toEqual(USED);
});

it('a session that died with its worker leaves word of what its transcript tells', async () => {
  const text = `${LINES.map(line => JSON.stringify(line)).join('\n')}\n{"atMs":5,"type":"te`;
  const { bench } = await dieInSession(text);
  await bench.perform('interrupt');
  expect(bench.journal.state.active.get('1')?.agent.sessionNote).toMatchObject({
    by: 'harness',
    phase: 'the session was stopped from outside',
    critical_files: ['src/1'],
    memory_notes: '`npm test` ended with 1. It last said: now the mail',
  });
});
