import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addUsage, NO_USAGE } from '../../src/core/model/usage.ts';
import { getEscapeLine, isRunning, readPidFile } from '../support/real-processes.ts';
import { describeFaults } from './agent-faults.ts';
import { type Played, type RealAgent, useStage } from './agent-stage.ts';
import { describeTools } from './agent-tools.ts';

const SCHEMA = {
  type: 'object',
  properties: { verdict: { type: 'string' } },
  required: ['verdict'],
  additionalProperties: false,
};

/**
 * The facts that hold for every real agent SDK, driven through its own tools by a scripted model.
 * Faults are told by the SDK inside; one that is held to them elsewhere need not be failed again.
 */
export function describeRealAgent(name: string, sdk: RealAgent, hasOwnFaults = true): void {
  const stage = useStage(sdk);
  const isAlive = (pid: number): boolean => !sdk.hasOwnPids && isRunning(pid);

  describe(`${name}, working`, () => {
    test('really edits files and runs commands, tells so, and claims', async () => {
      const { play, cwd, server } = stage();
      const { result, events } = await play([
        {
          text: 'I start.\n[DECISION] keep it small',
          tools: [sdk.write(cwd, 'made.txt', 'made\n')],
          usage: { input: 100, output: 20, cacheRead: 50 },
        },
        { tools: [sdk.run('cat made.txt; exit 3')], usage: { input: 10, output: 5 } },
        { text: 'All is done.', usage: { input: 30, output: 6, cacheRead: 70 } },
      ]);
      expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('made\n');
      expect(events).toContainEqual({ type: 'file', action: 'write', path: 'made.txt' });
      const ran = events.find(event => event.type === 'command');
      expect(ran).toMatchObject({ exitCode: 3, command: expect.stringContaining('cat made.txt') });
      expect(ran?.output).toContain('made');
      expect(events).toContainEqual({ type: 'decision', text: 'keep it small' });
      expect(result).toMatchObject({ outcome: 'claimed', summary: 'All is done.' });
      expect(result.failure).toBeUndefined();
      expect(server.left()).toBe(0);
      expectTokens({ result, events, cwd }, { inputTokens: 140, outputTokens: 31, cachedTokens: 120 });
    });

    test('sees nothing of our environment that it was not given', async () => {
      const { play, cwd } = stage();
      process.env.PLANTED_SECRET = 'planted';
      await play([{ tools: [sdk.run('env > env.txt')] }, { text: 'done' }]);
      const env = readFileSync(join(cwd, 'env.txt'), 'utf8');
      expect(env).not.toContain('planted');
      expect(env).toContain('HARNESS_RUN=');
    });

    test('reviewing cannot change anything', async () => {
      const { play, cwd } = stage();
      writeFileSync(join(cwd, 'there.txt'), 'there\n');
      const { result } = await play(
        [
          { tools: [sdk.write(cwd, 'new.txt', 'x'), sdk.run('touch other.txt')] },
          { tools: [sdk.write(cwd, 'there.txt', 'changed')] },
          { text: 'Looks fine.' },
        ],
        { mode: 'review' },
      );
      if (sdk.isEndedByRefusal) expect(result.outcome).toBe('not-done');
      else expect(result).toMatchObject({ outcome: 'claimed', summary: 'Looks fine.' });
      expect(readdirSync(cwd)).toEqual(['there.txt']);
      expect(readFileSync(join(cwd, 'there.txt'), 'utf8')).toBe('there\n');
    });
  });

  describe(`${name}, with nothing to say`, () => {
    test('an empty turn is ignored: it is asked to go on, and what follows counts', async () => {
      const { play, server, cwd } = stage();
      const usage = { input: 20, output: 1 };
      const work = { tools: [sdk.run('touch made.txt')], usage };
      const { result, events } = await play([{ usage }, { usage }, work, { text: 'All is done.', usage }]);
      expect(result).toMatchObject({ outcome: 'claimed', summary: 'All is done.' });
      expect(existsSync(join(cwd, 'made.txt'))).toBe(true);
      const asked = server.requests.filter(request => !request.isSide);
      expect(asked).toHaveLength(4);
      // Claude Code asks once by itself before it ends such a turn.
      expect(asked[2]?.newest).toContain('Your last turn was empty');
      expectTokens({ result, events, cwd }, { inputTokens: 80, outputTokens: 4, cachedTokens: 0 });
    });

    test('empty turns without end are a failure of a kind, and no claim', async () => {
      const { play, server, countLeft } = stage();
      const { result, events } = await play([{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}]);
      expect(result).toMatchObject({ outcome: 'crashed', failure: { kind: 'malformed' } });
      expect(events.at(-1)).toMatchObject({ type: 'error', kind: 'malformed' });
      expect(server.left()).toBeGreaterThan(0);
      expect(countLeft()).toBe(0);
    });

    test('work without a word is a claim', async () => {
      const { play, cwd } = stage();
      const { result } = await play([{ tools: [sdk.run('touch made.txt')] }, {}, { text: 'not reached' }]);
      expect(existsSync(join(cwd, 'made.txt'))).toBe(true);
      expect(result.outcome).toBe('claimed');
    });
  });

  describe(`${name}, answering`, () => {
    test('completing gives an answer in the form that was asked for', async () => {
      const { play, server } = stage();
      const { result } = await play([sdk.answer({ verdict: 'good' })], { mode: 'complete', schema: SCHEMA });
      expect(result).toMatchObject({ outcome: 'claimed', structured: { verdict: 'good' } });
      expect(server.requests).toHaveLength(1);
    });

    test.each([
      ['plain words', { text: 'good' }],
      ['a wrong form', sdk.answer({ verdict: 7 })],
    ])('%s instead of the form that was asked for is a failure', async (_, turn) => {
      const { result } = await stage().play([turn], { mode: 'complete', schema: SCHEMA });
      expect(result).toMatchObject({ outcome: 'crashed', failure: { kind: 'malformed' } });
      expect(result.structured).toBeUndefined();
    });
  });

  describe(`${name}, steered`, () => {
    test('words put before it while it works reach the model', async ({ skip }) => {
      const { play, cwd, server, agent } = stage();
      if (agent.capabilities?.inject === 'none') skip();
      let tell: (text: string) => void = () => undefined;
      const injections = {
        subscribe: (listener: (text: string) => void) => {
          tell = listener;
          return () => undefined;
        },
      };
      const waiting = sdk.run('touch begun; while [ ! -f go ]; do sleep 0.05; done');
      const playing = play([{ tools: [waiting] }, { text: 'heard', when: 'use tabs' }, { text: 'heard' }], {
        injections,
      });
      await waitForFile(join(cwd, 'begun'));
      tell('Please use tabs.');
      writeFileSync(join(cwd, 'go'), '');
      expect((await playing).result).toMatchObject({ outcome: 'claimed', summary: 'heard' });
      expect(server.requests.some(request => request.newest.includes('Please use tabs.'))).toBe(true);
    });

    test('an interrupt ends the turn, claims nothing, and the session can be gone on with', async () => {
      const { play, cwd, server, countLeft } = stage();
      const interrupt = new AbortController();
      const playing = play([{ tools: [sdk.run('touch begun; sleep 300')] }], {
        interrupt: interrupt.signal,
        prompt: 'The first prompt.',
      });
      await waitForFile(join(cwd, 'begun'));
      interrupt.abort();
      const { result, events } = await playing;
      expect(result).toMatchObject({ outcome: 'not-done', failure: { kind: 'cancelled' } });
      expect(events.at(-1)).toMatchObject({ type: 'error', kind: 'cancelled' });
      expect(countLeft()).toBe(0);
      if (!result.sessionId) return;
      const again = await play([{ text: 'went on' }], { resume: result.sessionId });
      expect(again.result).toMatchObject({ outcome: 'claimed', summary: 'went on' });
      expect(JSON.stringify(server.requests[0]?.body)).toContain('The first prompt.');
    });

    test('a resumed session knows what was said, and counts only what it uses itself', async ({ skip }) => {
      const { play, server, agent } = stage();
      if (!agent.capabilities?.resume) skip();
      const first = await play([{ text: 'The first answer.', usage: { input: 100, output: 20 } }]);
      expectTokens(first, { inputTokens: 100, outputTokens: 20, cachedTokens: 0 });
      const second = await play([{ text: 'Second.', usage: { input: 7, output: 3, cacheRead: 90 } }], {
        resume: first.result.sessionId ?? 'none',
        prompt: 'Go on.',
      });
      expect(second.result).toMatchObject({ outcome: 'claimed', summary: 'Second.' });
      expect(JSON.stringify(server.requests[0]?.body)).toContain('The first answer.');
      expectTokens(second, { inputTokens: 7, outputTokens: 3, cachedTokens: 90 });
    });
  });

  describe(`${name}, stopped`, () => {
    const hanging = sdk.run(`${getEscapeLine('pid')}\nsleep 300`);

    test('leaves no process behind, not even one in a session of its own', async () => {
      const { play, cwd, countLeft } = stage();
      const stop = new AbortController();
      const playing = play([{ tools: [hanging] }], { signal: stop.signal });
      const pid = await readPidFile(join(cwd, 'pid'));
      expect(countLeft()).toBeGreaterThan(1);
      stop.abort();
      const { result, events } = await playing;
      expect(result).toMatchObject({ outcome: 'not-done', failure: { kind: 'cancelled' } });
      expect(events.at(-1)).toMatchObject({ type: 'error', kind: 'cancelled' });
      expect(isAlive(pid)).toBe(false);
      expect(countLeft()).toBe(0);
    });

    test('is ended by the clock, with all it started', async () => {
      const { play, cwd, countLeft } = stage();
      const { result, events } = await play([{ tools: [hanging] }], { timeoutMs: 6_000 });
      expect(result).toMatchObject({ outcome: 'timeout', failure: { kind: 'timeout' } });
      expect(events.at(-1)).toMatchObject({ type: 'error', kind: 'timeout' });
      expect(isAlive(await readPidFile(join(cwd, 'pid')))).toBe(false);
      expect(countLeft()).toBe(0);
    });

    test('before it began does nothing', async () => {
      const { play, server } = stage();
      const { result } = await play([{ text: 'hi' }], { signal: AbortSignal.abort() });
      expect(result.outcome).toBe('not-done');
      expect(server.requests).toHaveLength(0);
    });

    test('ending well leaves no process behind either', async () => {
      const { play, cwd, countLeft } = stage();
      const { result } = await play([{ tools: [sdk.run(getEscapeLine('pid'))] }, { text: 'done' }]);
      expect(result.outcome).toBe('claimed');
      expect(isAlive(await readPidFile(join(cwd, 'pid')))).toBe(false);
      expect(countLeft()).toBe(0);
    });
  });

  describeTools(name, stage);
  if (hasOwnFaults) describeFaults(name, sdk, stage);
}

type Tokens = Omit<typeof NO_USAGE, 'costUsd'>;

/** What was told while it worked and what was told at the end are the same, and right. */
function expectTokens({ result, events }: Played, tokens: Tokens): void {
  const told = events.filter(event => event.type === 'usage').map(event => event.usage);
  expect(told.reduce(addUsage, NO_USAGE)).toMatchObject(tokens);
  expect(result.usage).toMatchObject(tokens);
}

async function waitForFile(path: string): Promise<void> {
  await expect.poll(() => existsSync(path), { timeout: 20_000, interval: 20 }).toBe(true);
}
