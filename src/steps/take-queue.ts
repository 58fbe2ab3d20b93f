import type { Work } from '../core/model/action.ts';
import { QUEUE_RESOURCE } from '../core/model/world.ts';
import type { StepContext, StepResult } from './step.ts';

/**
 * Takes the merge queue for this worker: the lease and what it is about to land are one transaction. Whoever comes too
 * late for a batch whose holder is gone gets neither, and has taken nothing that nobody would give back.
 */
export function takeQueue(
  { state, ports, policy }: StepContext,
  { members, fence }: Extract<Work, { type: 'take-queue' }>,
): StepResult {
  const worker = ports.workers.self.id;
  const wanted = { resource: QUEUE_RESOURCE, owner: worker, ttlMs: policy.leaseMs };
  const { batch, batches } = state.queue;
  const acquire = fence === null ? wanted : { ...wanted, adoptedFence: fence };
  if (batch === null)
    return { events: [{ type: 'batch.started', batch: batches + 1, worker, members }], acquire };
  const reason = `worker ${batch.worker} is gone`;
  return { events: [{ type: 'batch.taken-over', batch: batch.number, worker, reason }], acquire };
}
