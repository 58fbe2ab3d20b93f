import { HarnessError } from '../core/base/failure.ts';
import type { WorkerRef } from '../core/model/facts.ts';
import type { State } from '../core/state/state.ts';
import type { LeaseInfo, Ports } from '../ports/index.ts';

/**
 * Two clones that pass for one host would each take the other's worktrees and processes for their own, and its living
 * workers for dead. Who came later gives way, as long as the other one has a living worker or a lease.
 */
export async function refuseTwin(
  { workers, store }: Pick<Ports, 'workers' | 'store'>,
  state: Pick<State, 'workers'>,
): Promise<void> {
  const { self } = workers;
  const nowMs = await store.nowMs();
  const held = (await store.leases()).filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  for (const worker of state.workers.values()) {
    if (worker.id === self.id) return;
    if (!isTwin(worker, self)) continue;
    const lease = held.find(({ owner }) => owner === worker.id);
    if (lease || (await workers.check(worker)) !== 'dead') throw getTwinError(worker, lease, nowMs);
  }
}

/** Records of older versions know no clones. */
function isTwin(worker: WorkerRef, self: WorkerRef): boolean {
  const areKnown = worker.clone !== undefined && self.clone !== undefined;
  return worker.host === self.host && areKnown && worker.clone !== self.clone;
}

function getTwinError({ host, pid }: WorkerRef, lease: LeaseInfo | undefined, nowMs: number): HarnessError {
  const message = `another clone is at work as host ${host}, too (pid ${pid}), and each would take the other's work for its own`;
  const wait = lease ? ` (if that clone is gone: wait ${getSeconds(lease.expiresAtMs - nowMs)} s)` : '';
  return new HarnessError('config', message, {
    field: 'HARNESS_HOST_ID',
    fix: `set HARNESS_HOST_ID to a name of its own for this clone${wait}`,
  });
}

function getSeconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}
