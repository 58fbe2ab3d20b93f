import type { Work } from '../core/model/action.ts';
import { QUEUE_RESOURCE } from '../core/model/world.ts';
import type { StepContext, StepResult } from './step.ts';

/** Takes the merge queue for this worker: the lease and what it is about to land are one transaction. */
export async function takeQueue(
  { state, ports, policy }: StepContext,
  { members, fence }: Extract<Work, { type: 'take-queue' }>,
): Promise<StepResult> {
  const worker = ports.workers.self.id;
  const wanted = { resource: QUEUE_RESOURCE, owner: worker, ttlMs: policy.leaseMs };
  const { batch, batches } = state.queue;
  const acquire = fence === null ? wanted : { ...wanted, adoptedFence: fence };
  if (batch === null)
    return { events: [{ type: 'batch.started', batch: batches + 1, worker, members }], acquire };
  // Nobody is swept away before this is recorded: its holder may have landed it meanwhile, and be at other work.
  const taken = await ports.store.acquire(acquire);
  if (!taken.ok) return { events: [] };
  const reason = `worker ${batch.worker} is gone`;
  return {
    events: [{ type: 'batch.taken-over', batch: batch.number, worker, reason }],
    acquire: { ...wanted, adoptedFence: taken.lease.fence },
  };
}
