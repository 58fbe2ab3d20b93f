import { expect, it } from 'vitest';
import { ObjectGone } from '../core/base/failure.ts';
import type { StepContext } from '../steps/step.ts';
import { perform } from './perform.ts';

const clock = { sleep: async () => undefined };
const ctx = { ports: { clock, workspace: {} }, signal: AbortSignal.any([]) } as never;
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
  const shared = { ports: { clock, workspace }, signal: AbortSignal.any([]) } as never;
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
