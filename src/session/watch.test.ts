import { describe, expect, it } from 'vitest';
import { createSimClock, Scheduler } from '../../test/sim/scheduler.ts';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import type { AgentEvent } from '../core/model/agent-event.ts';
import { NO_USAGE, type Usage } from '../core/model/usage.ts';
import type { AgentCapabilities, TranscriptEntry } from '../ports/index.ts';
import { Watch } from './watch.ts';

const CAN_INTERRUPT: AgentCapabilities = {
  modes: ['exec'],
  inject: 'native',
  interrupt: 'native',
  resume: true,
};

function open(
  over: {
    firstEventMs?: number;
    idleMs?: number;
    budgetUsd?: number;
    capabilities?: AgentCapabilities;
    deaf?: boolean;
  } = {},
) {
  const scheduler = new Scheduler();
  const spent: Usage[] = [];
  const said: string[] = [];
  const entries: TranscriptEntry['event'][] = [];
  const watch = new Watch({
    clock: createSimClock(scheduler),
    rules: {
      ...simPolicy.monitor,
      firstEventMs: over.firstEventMs ?? 120_000,
      idleMs: over.idleMs ?? 900_000,
    },
    capabilities: over.capabilities,
    budgetUsd: over.budgetUsd ?? 10,
    signal: new AbortController().signal,
    onEvent: () => undefined,
    onEntry: ({ event }) => entries.push(event),
    onSpent: usage => spent.push(usage),
  });
  if (!over.deaf)
    watch.injections.subscribe(text => {
      said.push(text);
      return 'told';
    });
  const wait = (ms: number) => {
    let isOver = false;
    scheduler.after(ms, () => {
      isOver = true;
    });
    return scheduler.run(() => isOver, 10_000);
  };
  return { watch, spent, said, entries, wait };
}

const use = (costUsd: number, contextTokens = 1): AgentEvent => ({
  type: 'usage',
  usage: { inputTokens: 10, outputTokens: 0, cachedTokens: 0, costUsd },
  contextTokens,
});
const talk: AgentEvent = { type: 'text', text: 'still here' };

describe('a watched session', () => {
  it('is ended when nothing is heard at all', async () => {
    const { watch, wait } = open();
    await wait(119_000);
    expect(watch.signal.aborted).toBe(false);
    await wait(2_000);
    expect(watch.signal.aborted).toBe(true);
    expect(watch.close()).toMatchObject({ endedBy: 'silent' });
  });

  it('goes on as long as the agent is heard of now and then', async () => {
    const { watch, wait } = open();
    for (let i = 0; i < 20; i++) {
      watch.onEvent(talk);
      await wait(800_000);
    }
    expect(watch.signal.aborted).toBe(false);
    expect(watch.close()).toMatchObject({ endedBy: null });
  });

  it('is ended when the agent goes quiet: first asked, then made to', async () => {
    const { watch, wait } = open({ capabilities: CAN_INTERRUPT });
    watch.onEvent(talk);
    await wait(901_000);
    expect([watch.interrupt.aborted, watch.signal.aborted]).toEqual([true, false]);
    await wait(21_000);
    expect(watch.signal.aborted).toBe(true);
    expect(watch.close()).toMatchObject({ endedBy: 'idle' });
  });

  it('is not made to end once it is over', async () => {
    const { watch, wait } = open({ capabilities: CAN_INTERRUPT });
    watch.onEvent(talk);
    await wait(901_000);
    watch.close();
    await wait(60_000);
    expect(watch.signal.aborted).toBe(false);
  });

  it('is ended in the middle of a turn when the money is gone', () => {
    const { watch } = open({ budgetUsd: 1 });
    watch.onEvent(use(0.9));
    expect(watch.signal.aborted).toBe(false);
    watch.onEvent(use(0.2));
    expect(watch.signal.aborted).toBe(true);
    expect(watch.close()).toMatchObject({ endedBy: 'budget', usage: { costUsd: 1.1 } });
  });

  it('writes money down as it goes', async () => {
    const { watch, spent, wait } = open();
    for (let i = 0; i < 10; i++) {
      watch.onEvent(use(0.02));
      await wait(1_000);
    }
    expect(spent.map(usage => usage.costUsd.toFixed(2))).toEqual(['0.06', '0.06', '0.06']);
    expect(watch.close().usage.costUsd).toBeCloseTo(0.2);
  });

  it('writes tokens down whose price nobody knows', () => {
    const { watch, spent } = open();
    const usage = { inputTokens: 15_000, outputTokens: 6_000, cachedTokens: 7, costUsd: 0 };
    watch.onEvent({ type: 'usage', usage, contextTokens: 1 });
    expect(spent).toEqual([usage]);
  });

  it('does not write for every cent of an agent in a hurry, and at its end nothing is lost', () => {
    const { watch, spent } = open();
    for (let i = 0; i < 50; i++) watch.onEvent(use(0.1));
    expect(spent).toHaveLength(1);
    expect(watch.close().usage.costUsd).toBeCloseTo(5);
  });

  it('puts warnings before the agent and into the transcript', () => {
    const { watch, said, entries } = open();
    watch.onEvent(use(0, 160_000));
    expect(said).toHaveLength(1);
    expect(entries.map(({ type }) => type)).toEqual(['usage', 'steer']);
  });

  it('tells what became of its words: nothing, where nobody listens', () => {
    const { watch, entries } = open();
    watch.onEvent(use(0, 160_000));
    expect(entries.at(-1)).toMatchObject({ type: 'steer', delivery: 'told' });
    const deaf = open({ deaf: true });
    deaf.watch.onEvent(use(0, 160_000));
    deaf.watch.close();
    expect(deaf.entries.at(-1)).toMatchObject({ type: 'steer', delivery: 'unheard' });
  });

  it('gives an agent that was told to document its blocker the time to do so', async () => {
    const { watch, said, wait } = open();
    const stuck = { ...use(0), usage: { ...NO_USAGE, inputTokens: 50_000 } } as AgentEvent;
    watch.onEvent(stuck);
    watch.onEvent(stuck);
    expect(said.at(-1)).toContain('Document the blocker');
    expect(watch.signal.aborted).toBe(false);
    await wait(21_000);
    expect(watch.signal.aborted).toBe(true);
    const deaf = open({ deaf: true });
    deaf.watch.onEvent(stuck);
    deaf.watch.onEvent(stuck);
    expect(deaf.watch.signal.aborted).toBe(true);
  });

  it('is ended at once when the context is full', () => {
    const { watch } = open({ capabilities: CAN_INTERRUPT });
    watch.onEvent(use(0, 200_000));
    expect(watch.signal.aborted).toBe(true);
    expect(watch.close()).toMatchObject({ endedBy: 'context' });
  });
});
