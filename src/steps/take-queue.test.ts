import { expect, it } from 'vitest';
import { takeQueue } from './take-queue.ts';

const members = [{ task: '1', attempt: 1 }];
const at = (batch: object | null) =>
  ({
    state: { queue: { batch, batches: 3 } },
    ports: { workers: { self: { id: 'w-2' } } },
    policy: { leaseMs: 60_000 },
  }) as never;
const wanted = { resource: 'merge-queue', owner: 'w-2', ttlMs: 60_000 };

it('begins a batch and takes the lease with the same fact', () => {
  expect(takeQueue(at(null), { type: 'take-queue', members, fence: null })).toEqual({
    events: [{ type: 'batch.started', batch: 4, worker: 'w-2', members }],
    acquire: wanted,
  });
});

it('goes on with a lost batch and takes the lease with the same fact, from the fence that was seen', () => {
  const lost = { number: 3, worker: 'w-1', members };
  const events = [{ type: 'batch.taken-over', batch: 3, worker: 'w-2', reason: 'worker w-1 is gone' }];
  expect(takeQueue(at(lost), { type: 'take-queue', members, fence: 7 })).toEqual({
    events,
    acquire: { ...wanted, adoptedFence: 7 },
  });
  expect(takeQueue(at(lost), { type: 'take-queue', members, fence: null })).toEqual({
    events,
    acquire: wanted,
  });
});
