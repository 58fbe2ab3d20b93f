import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import { createStepBench, type StepBench, type StepOptions } from '../../test/support/step-bench.ts';
import type { EventOf } from '../core/events/event.ts';
import { NO_USAGE } from '../core/model/usage.ts';
import type { Agent } from '../ports/index.ts';

async function start(agent: Agent['run'], options: StepOptions = {}): Promise<StepBench> {
  const bench = await createStepBench({ ...options, agent });
  await bench.walkTo('ready');
  return bench;
}

async function run(bench: StepBench) {
  const { events } = await bench.perform('session');
  return events[0] as EventOf<'session.ended'>;
}

const cost = (costUsd: number) => ({ ...NO_USAGE, costUsd });

describe('session', () => {
  it('is recorded before the agent starts, and ends with a claim at best', async () => {
    const seen: string[] = [];
    const bench: StepBench = await start(async request => {
      seen.push(bench.journal.state.active.get('1')?.stage ?? '', request.cwd);
      return { outcome: 'claimed', summary: 'I am done, land it', usage: cost(0.5) };
    });
    const ended = await run(bench);
    expect(seen).toEqual(['in-session', 'slot-1']);
    expect(ended).toMatchObject({ outcome: 'claimed', usage: { costUsd: 0.5 } });
    expect(bench.journal.state.active.get('1')?.stage).toBe('session-over');
  });

  it.each([
    [true, [expect.stringContaining('test/1')]],
    [false, []],
  ])(
    "looks at the task's own test on the base while the agent works, where neither is in the other's way: %s",
    async (canTestSideBySide, ran) => {
      const bench = await start(async () => ({ outcome: 'claimed', summary: 'done', usage: NO_USAGE }), {
        wrap: ports => ({ ...ports, canTestSideBySide }),
      });
      const before = bench.ran.length;
      await run(bench);
      expect(bench.ran.slice(before)).toEqual(ran);
    },
  );

  it('stops at its budget, keeps the transcript and counts every cent', async () => {
    const bench = await start(
      async (request, tell) => {
        tell({ type: 'text', text: 'I am working' });
        for (let i = 0; i < 100 && !request.signal.aborted; i++) tell({ type: 'usage', usage: cost(1) });
        return { outcome: 'claimed', summary: 'done', usage: NO_USAGE };
      },
      { policy: { budget: { ...simPolicy.budget, perSessionUsd: 3 } } },
    );
    const ended = await run(bench);
    expect(ended).toMatchObject({ outcome: 'budget', usage: { costUsd: 4 } });
    expect(bench.journal.state.costs.usage.costUsd).toBeCloseTo(4);
    const transcript = bench.written.get(ended.transcript?.path ?? '') ?? '';
    expect(ended.transcript?.path).toBe('sessions/session-1-task-1-attempt-1.jsonl');
    expect(
      transcript
        .trim()
        .split('\n')
        .map(line => (JSON.parse(line) as { type: string }).type),
    ).toEqual(['prompt', 'text', 'usage', 'usage', 'usage', 'usage']);
  });

  it.each([
    ['not-done', 'interrupted'],
    ['claimed', 'claimed'],
  ] as const)('that is called off while the agent says %s is %s, and paid for', async (outcome, recorded) => {
    const bench: StepBench = await start(async () => {
      bench.stop.abort(new Error('Ctrl-C'));
      return { outcome, summary: '', usage: cost(2) };
    });
    expect(await run(bench)).toMatchObject({ outcome: recorded, usage: { costUsd: 2 } });
  });

  it('keeps what was spent when the agent’s program breaks in the middle', async () => {
    const bench = await start(async (_, tell) => {
      tell({ type: 'usage', usage: cost(1.5) });
      throw new Error('the adapter broke');
    });
    await expect(run(bench)).rejects.toThrow('the adapter broke');
    expect(bench.journal.state.costs.usage.costUsd).toBeCloseTo(1.5);
  });

  it('waits for a provider that says to come back later, and blames nobody', async () => {
    const failure = { kind: 'rate_limit' as const, message: 'slow down' };
    const bench = await start(async () => ({ outcome: 'crashed', summary: '', usage: NO_USAGE, failure }));
    expect(await run(bench)).toMatchObject({ outcome: 'unavailable' });
    expect(bench.journal.state.trouble.providers.get('sim')).toMatchObject({ kind: 'rate_limit', count: 1 });
  });

  it.each([
    ['overloaded', 30_000],
    ['network', 5_000],
  ] as const)('waits for one that is %s, for its own while, and blames nobody', async (kind, waitMs) => {
    const failure = { kind, message: 'not now' };
    const bench = await start(async () => ({ outcome: 'crashed', summary: '', usage: NO_USAGE, failure }));
    expect(await run(bench)).toMatchObject({ outcome: 'unavailable' });
    const nowMs = await bench.ctx.ports.store.nowMs();
    const untilMs = bench.journal.state.trouble.providers.get('sim')?.untilMs ?? 0;
    expect(Math.abs(untilMs - nowMs - waitMs)).toBeLessThan(waitMs / 2);
  });
});
