import { describe, expect, it } from 'vitest';
import { createStepBench, type StepOptions } from '../../test/support/step-bench.ts';
import type { AgentResult, SessionRequest } from '../ports/index.ts';

/** An agent that breaks an older test first; what it is asked the second time. */
async function askAgain(canResume: boolean, contextTokens = 1_000, options: StepOptions = {}) {
  const asked: SessionRequest[] = [];
  const bench = await createStepBench({
    ...options,
    wrap: ports => ({
      ...ports,
      agent: {
        provider: 'sim',
        capabilities: { modes: ['exec'], inject: 'none', interrupt: 'none', resume: canResume },
        run: async (request, emit): Promise<AgentResult> => {
          asked.push(request);
          Object.assign(bench.git.slots.get(1) ?? {}, { 'src/1': 'good', 'src/old': 'bad' });
          const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 0.01 };
          emit({ type: 'usage', usage, contextTokens });
          return { outcome: 'claimed', summary: 'done', usage, sessionId: 'their-name' };
        },
      },
    }),
  });
  await bench.walkTo('judged');
  await bench.perform('send-back');
  await bench.perform('session');
  return { bench, again: asked[1] };
}

describe('work that was sent back', () => {
  it('is put right in the agent’s own session, which is told only what it does not know', async () => {
    const { bench, again } = await askAgain(true);
    expect(again).toMatchObject({ resume: 'their-name', round: 1, turn: 2, role: 'feedback' });
    expect(again?.prompt).toContain('test/old passed before and is now failed');
    expect(again?.prompt).not.toContain('You are a coder');
    expect(bench.journal.state.active.get('1')).toMatchObject({ agent: { contextShare: 0.005 } });
  });

  it('is explained from the start to an agent that cannot go on with its session', async () => {
    const { again } = await askAgain(false);
    expect(again).not.toHaveProperty('resume');
    expect(again?.prompt).toContain('You are a coder');
    expect(again?.prompt).toContain('test/old passed before and is now failed');
  });

  it('leaves a transcript of each round', async () => {
    const { bench } = await askAgain(true);
    const events = await bench.ports.store.read({});
    const paths = events.flatMap(({ event }) =>
      event.type === 'session.ended' ? [event.transcript?.path] : [],
    );
    expect(new Set(paths).size).toBe(2);
  });
});

describe('work that was cut off', () => {
  it.each([
    ['is gone on with by the rules for that', false, 'You go on with a task'],
    ['and no longer fits onto the base is begun anew', true, 'You are a coder'],
  ])('%s', async (_, isInTheWay, rules) => {
    const asked: SessionRequest[] = [];
    const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 0.01 };
    const bench = await createStepBench({
      wrap: ports => ({
        ...ports,
        agent: {
          provider: 'sim',
          run: async (request): Promise<AgentResult> => {
            asked.push(request);
            Object.assign(bench.git.slots.get(1) ?? {}, { 'src/1': 'half' });
            return { outcome: 'timeout', summary: 'no time', usage };
          },
        },
      }),
    });
    await bench.walkTo('candidate');
    await bench.perform('close');
    if (isInTheWay) bench.git.userCommit(files => Object.assign(files, { 'src/1': 'by hand' }));
    for (const step of ['lease', 'prepare', 'preflight'] as const) await bench.perform(step);
    await bench.perform('session');
    expect(asked[1]?.prompt).toContain(rules);
    expect(asked[1]?.prompt.includes('- src/1 (added, 1 lines now)')).toBe(!isInTheWay);
  });
});
