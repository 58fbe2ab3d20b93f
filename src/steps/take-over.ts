import { getTaskResource } from '../core/model/world.ts';
import type { StepContext, StepResult, UnderWay } from './step.ts';

/** Goes on with an attempt whose worker is gone, after ending whatever that worker left running. */
export async function takeOver(
  { ports, policy, state }: StepContext,
  { attempt }: UnderWay,
  action: { readonly task: string; readonly fence: number | null; readonly reason: string },
): Promise<StepResult> {
  const former = state.workers.get(attempt.worker);
  const owner = ports.workers.self.id;
  const wanted = { resource: getTaskResource(action.task), owner, ttlMs: policy.leaseMs };
  // The lease first: a worker that has slept may come back to it, and only one that cannot is swept away.
  const taken = await ports.store.acquire(
    action.fence === null ? wanted : { ...wanted, takeover: action.fence },
  );
  if (!taken.ok) return { events: [] };
  if (former) await ports.workers.reap(former);
  return {
    events: [
      {
        type: 'attempt.taken-over',
        task: action.task,
        attempt: attempt.number,
        worker: owner,
        reason: action.reason,
      },
    ],
    acquire: { ...wanted, takeover: taken.lease.fence },
  };
}
