import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addUsage, NO_USAGE } from '../../src/core/model/usage.ts';
import type { Agent, AgentEvent, AgentResult, SessionRequest } from '../../src/ports/index.ts';
import { isRunning, readPidFile, useTempDir } from '../support/real-processes.ts';

/** How an agent under test is to behave; the place is its working directory. */
export type Temper =
  /** Writes `src/a.txt` holding "made", says so, decides "keep it", claims "all done". */
  | 'works'
  | 'gives-up'
  | 'crashes'
  /** Leaves a process behind with its pid in `pid`, then never ends. */
  | 'hangs'
  /** Reports usage twice and claims. */
  | 'burns';

/** The facts that hold for every agent, whatever drives it. */
export function describeAgent(name: string, makeAgent: (temper: Temper) => Agent): void {
  const makeDir = useTempDir();

  async function run(temper: Temper, more: Partial<SessionRequest> = {}) {
    const events: AgentEvent[] = [];
    const request = { ...getRequest(makeDir()), ...more };
    const result: AgentResult = await makeAgent(temper).run(request, event => events.push(event));
    return { result, events, cwd: request.cwd };
  }

  describe(name, () => {
    test('an agent that works edits its directory, tells what it does, and claims', async () => {
      const { result, events, cwd } = await run('works');
      expect(result).toMatchObject({ outcome: 'claimed', summary: 'all done' });
      expect(readFileSync(join(cwd, 'src/a.txt'), 'utf8')).toBe('made');
      expect(events).toContainEqual({ type: 'file', action: 'write', path: 'src/a.txt' });
      expect(events).toContainEqual({ type: 'decision', text: 'keep it' });
    });

    test('an agent that gives up has claimed nothing', async () => {
      expect((await run('gives-up')).result).toMatchObject({ outcome: 'not-done', usage: NO_USAGE });
    });

    test('an agent that crashes is told from one that gives up', async () => {
      const { result, events } = await run('crashes');
      expect(result.outcome).toBe('crashed');
      expect(events.at(-1)).toMatchObject({ type: 'error', kind: 'crash' });
    });

    test('an agent that hangs is ended by the clock, with all it started', async () => {
      const { result, events, cwd } = await run('hangs', { timeoutMs: 1_500 });
      expect(result.outcome).toBe('timeout');
      expect(events.at(-1)).toMatchObject({ type: 'error', kind: 'timeout' });
      expect(isRunning(await readPidFile(join(cwd, 'pid')))).toBe(false);
    });

    test('an agent that hangs is ended by its caller, with all it started', async () => {
      const controller = new AbortController();
      const cwd = makeDir();
      const running = run('hangs', { cwd, signal: controller.signal });
      const pid = await readPidFile(join(cwd, 'pid'));
      controller.abort();
      const { result, events } = await running;
      expect(result.outcome).toBe('not-done');
      expect(events.at(-1)).toMatchObject({ type: 'error', kind: 'cancelled' });
      expect(isRunning(pid)).toBe(false);
    });

    test('an agent whose session is over before it began does nothing', async () => {
      const { result, cwd } = await run('works', { signal: AbortSignal.abort() });
      expect(result.outcome).toBe('not-done');
      expect(existsSync(join(cwd, 'src'))).toBe(false);
    });

    test('what the events say was used is what the result says', async () => {
      const { result, events } = await run('burns');
      const told = events.filter(event => event.type === 'usage').map(event => event.usage);
      expect(told).toHaveLength(2);
      expect(told.reduce(addUsage, NO_USAGE)).toEqual(result.usage);
      expect(result.usage).toEqual({ inputTokens: 30, outputTokens: 3, cachedTokens: 5, costUsd: 0.5 });
    });
  });
}

/** A session like any other. */
export function getRequest(cwd: string): SessionRequest {
  return {
    task: {
      id: '7',
      title: 'Make a file',
      category: null,
      priority: 3,
      dependsOn: ['2'],
      testFile: 'test/a.test.js',
      validation: { command: 'test -f src/a.txt', timeoutSeconds: 5 },
      verificationSteps: ['Look at it'],
      verificationType: 'automated',
      manualChecks: [],
      visual: null,
      mayChange: [],
      size: 'small',
      maxAttempts: 3,
    },
    attempt: 2,
    session: 11,
    prompt: 'Make the file.\n',
    cwd,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
  };
}
