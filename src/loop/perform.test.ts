import { expect, it } from 'vitest';
import { createStepBench } from '../../test/support/step-bench.ts';
import { ObjectGone } from '../core/base/failure.ts';
import type { StepContext } from '../steps/step.ts';
import { perform } from './perform.ts';

type Fetch = NonNullable<StepContext['ports']['workspace']['fetch']>;

const clock = { sleep: async () => undefined };
const nothing = { tasks: new Map(), active: new Map() };
const ctx = { state: nothing, ports: { clock, workspace: {} }, signal: AbortSignal.any([]) } as never;
const failing = (times: number) => {
  let calls = 0;
  return {
    step: async (_: StepContext) => {
      if (++calls <= times) throw new ObjectGone('c74f cannot be read from the repository', '/p/.git');
      return { events: [] };
    },
    count: () => calls,
  };
};

it('makes again what a git gc has cleared away', async () => {
  const { step, count } = failing(2);
  await expect(perform(ctx, { type: 'snapshot', task: '1' }, step)).resolves.toEqual({ events: [] });
  expect(count()).toBe(3);
});

it('fetches what another host has made before it tries again', async () => {
  let fetched = 0;
  const workspace = { fetch: async () => void fetched++ };
  const shared = { state: nothing, ports: { clock, workspace }, signal: AbortSignal.any([]) } as never;
  const { step } = failing(2);
  await expect(perform(shared, { type: 'snapshot', task: '1' }, step)).resolves.toEqual({ events: [] });
  expect(fetched).toBe(2);
});

it('gives up when it is really gone', async () => {
  const { step, count } = failing(99);
  await expect(perform(ctx, { type: 'verify', task: '1' }, step)).rejects.toThrow('cannot be read');
  expect(count()).toBe(8);
});

it('sets no agent to work twice', async () => {
  const { step, count } = failing(1);
  await expect(perform(ctx, { type: 'session', task: '1' } as never, step)).rejects.toThrow();
  expect(count()).toBe(1);
});

it.each([
  ['gone', true],
  ['to be had', false],
])('ends an attempt whose work is %s on every host, and only then', async (_, isGone) => {
  const bench = await createStepBench();
  await bench.walkTo('candidate');
  const { commit = '' } = bench.journal.state.active.get('1')?.candidate ?? {};
  const asked: unknown[] = [];
  const fetch: Fetch = async kept => {
    asked.push(kept);
    return isGone && kept ? [commit] : [];
  };
  Object.assign(bench.ports.workspace, { fetch });
  Object.assign(bench.ports.clock, clock);
  const { step, count } = failing(1);
  const result = await perform(bench.ctx, { type: 'verify', task: '1' }, step);
  expect(asked[0]).toEqual([{ name: 'attempts/1/1', commit }]);
  expect([count(), result.events]).toMatchObject(
    isGone ? [1, [{ type: 'attempt.ended', outcome: 'partial', category: 'ENV_SETUP' }]] : [2, []],
  );
  if (result.events.length > 0) await bench.ctx.record(result.events);
  expect(bench.journal.state.tasks.get('1')).toMatchObject({
    status: isGone ? 'retry' : 'active',
    attempts: 0,
  });
});
