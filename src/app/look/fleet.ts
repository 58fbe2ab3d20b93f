import { getMachineId } from '../../adapters/process/machine-id.ts';
import { createRandom } from '../../adapters/process/random.ts';
import { createWorkers } from '../../adapters/process/workers.ts';
import type { WorkerRef } from '../../core/model/facts.ts';
import { getTaskResource, QUEUE_RESOURCE } from '../../core/model/world.ts';
import { getOwnAttempt, getQueued } from '../../core/state/merge-queue.ts';
import type { LeaseInfo } from '../../ports/index.ts';
import type { Project } from '../project/open-project.ts';
import { openJournal } from '../project/open-record.ts';

export interface FleetWorker {
  readonly worker: string;
  readonly lane: number | null;
  readonly pid: number;
  readonly task: string | null;
  readonly stage: string | null;
  /** How long its lease still holds; null where it holds none. */
  readonly leaseLeftMs: number | null;
  /** Ended without a record: its process is not there, or, on another host, all that its process held has run out. */
  readonly isGone: boolean;
}

export interface FleetHost {
  readonly host: string;
  readonly isHere: boolean;
  readonly workers: readonly FleetWorker[];
}

export interface Fleet {
  readonly hosts: readonly FleetHost[];
  /** What waits to land, in its order. */
  readonly queue: readonly { readonly task: string; readonly attempt: number; readonly waitsMs: number }[];
  readonly batch: {
    readonly number: number;
    readonly worker: string;
    readonly tasks: readonly string[];
  } | null;
  /** Leases that are nobody's above: ports, the run itself. */
  readonly otherLeases: readonly {
    readonly resource: string;
    readonly owner: string;
    readonly leftMs: number;
  }[];
}

/** Who works on the project, on which host, by which leases, and what waits to land. */
export async function readFleet(project: Project): Promise<Fleet> {
  const { state } = await openJournal(project);
  const store = await project.store();
  const nowMs = await store.nowMs();
  const leases = await store.leases();
  const { batch } = state.queue;
  const shown = new Set<LeaseInfo>();
  const findLease = (resource: string, owner: string): LeaseInfo | undefined => {
    const lease = leases.find(one => one.resource === resource && one.owner === owner);
    if (lease) shown.add(lease);
    return lease;
  };
  const all = [...state.workers.values()];
  // A process with several lanes has a worker of its own, which takes no tasks.
  const isLed = (one: WorkerRef) =>
    !all.some(({ host, pid, lane }) => host === one.host && pid === one.pid && lane && !one.lane);
  const { check } = createWorkers(createRandom());
  const findGone = async (one: WorkerRef): Promise<boolean> => {
    const seen = await check(one);
    const ids = all.filter(({ host, pid }) => host === one.host && pid === one.pid).map(({ id }) => id);
    const held = leases.filter(({ owner }) => ids.includes(owner));
    const hasRunOut = held.length > 0 && held.every(({ expiresAtMs }) => expiresAtMs <= nowMs);
    return seen === 'dead' || (seen === 'unknown' && hasRunOut);
  };
  const led = await Promise.all(
    all.filter(isLed).map(async one => ({ ...one, isGone: await findGone(one) })),
  );
  const workers = led.map(({ id, lane = null, pid, host, isGone }) => {
    const attempt = getOwnAttempt(state, id);
    const lands = batch?.worker === id ? findLease(QUEUE_RESOURCE, id) : undefined;
    const lease = lands ?? (attempt && findLease(getTaskResource(attempt.task), id));
    const { task = null, stage = null } = attempt ?? {};
    const leaseLeftMs = lease ? lease.expiresAtMs - nowMs : null;
    return {
      host,
      worker: { ...{ worker: id, lane, pid, task, leaseLeftMs, isGone }, stage: lands ? 'lands' : stage },
    };
  });
  const names = [...new Set(workers.map(({ host }) => host))].sort();
  return {
    hosts: names.map(host => ({
      host,
      isHere: host === getMachineId(),
      workers: workers.filter(one => one.host === host).map(({ worker }) => worker),
    })),
    queue: getQueued(state).map(({ task, number, queuedAtMs }) => ({
      ...{ task, attempt: number, waitsMs: nowMs - (queuedAtMs ?? nowMs) },
    })),
    batch: batch && {
      number: batch.number,
      worker: batch.worker,
      tasks: batch.members.map(({ task }) => task),
    },
    otherLeases: leases
      .filter(lease => !shown.has(lease))
      .map(({ resource, owner, expiresAtMs }) => ({ resource, owner, leftMs: expiresAtMs - nowMs })),
  };
}
