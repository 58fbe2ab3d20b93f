import { HarnessError } from '../core/base/failure.ts';
import { getExpiredAttempts } from '../core/decide/retention.ts';
import type { EventOf, HarnessEvent } from '../core/events/event.ts';
import type { Policy } from '../core/model/policy.ts';
import { getAttemptRef } from '../core/proof/commit-message.ts';
import { getOwnAttempt } from '../core/state/merge-queue.ts';
import type { Lease, Ports } from '../ports/index.ts';
import { isOfPorts, releaseDeadPorts } from '../testruns/surroundings.ts';
import type { Journal } from './journal.ts';
import { refuseTwin } from './refuse-twin.ts';
import type { Run } from './run.ts';

/** Held by the one run that may work on a project at a time, in exclusive mode. */
const RUN_RESOURCE = 'run';

type Held = Pick<Run, 'ports' | 'policy' | 'journal' | 'keeper'>;

interface Entered {
  stop(reason: string): Promise<void>;
}

/** Enters a worker into the record, then clears away what dead ones left behind. */
export async function startWorker(
  { ports, policy, journal, keeper }: Held,
  version: string,
): Promise<Entered> {
  await journal.refresh();
  const started = getStart(ports, policy, version);
  if (policy.exclusive) keeper.hold(await enterAlone(ports, policy, journal, started));
  else await recordUntilDone(journal, started);
  const stop = createStop({ ports, journal, keeper });
  try {
    await refuseTwin(ports, journal.state);
    await removeDeadWorkers(ports, journal);
    await recover(ports, policy, journal);
    await tidy(ports, policy, journal);
  } catch (error) {
    await stop('could not start');
    throw error;
  }
  return { stop };
}

/** Enters one more worker of a process that has cleared away already. */
export async function enterLane({ ports, policy, journal, keeper }: Held, version: string): Promise<Entered> {
  await recordUntilDone(journal, getStart(ports, policy, version));
  return { stop: createStop({ ports, journal, keeper }) };
}

function getStart(ports: Ports, policy: Policy, version: string): EventOf<'worker.started'> {
  const { totalUsd: budgetUsd } = policy.budget;
  const { maxFileLines } = policy;
  return { type: 'worker.started', worker: ports.workers.self, version, budgetUsd, maxFileLines };
}

function createStop({ ports, journal, keeper }: Omit<Held, 'policy'>): Entered['stop'] {
  return async reason => {
    await keeper.stop();
    const held = keeper.all();
    // Ports first: killed in between, it is a dead worker to whoever comes, who lets go of them for it.
    for (const lease of held.filter(isOfPorts)) await ports.store.release(lease);
    await recordUntilDone(journal, { type: 'worker.stopped', workerId: ports.workers.self.id, reason });
    for (const lease of held) if (!isOfPorts(lease)) await ports.store.release(lease);
  };
}

/** The exclusive lock, taken in one transaction with the record of who took it: a dead holder is replaced. */
async function enterAlone(
  ports: Ports,
  policy: Policy,
  journal: Journal,
  started: HarnessEvent,
): Promise<Lease> {
  const request = { resource: RUN_RESOURCE, owner: ports.workers.self.id, ttlMs: policy.leaseMs };
  let adoptedFence: number | null = null;
  for (;;) {
    const acquire = adoptedFence === null ? request : { ...request, adoptedFence };
    const result = await journal.record([started], { acquire });
    if (result.ok) return result.lease as Lease;
    await journal.refresh();
    adoptedFence = null;
    if (result.why !== 'held') continue;
    const holder = (await ports.store.leases()).find(lease => lease.resource === RUN_RESOURCE);
    if (!holder) continue;
    const worker = journal.state.workers.get(holder.owner);
    // Lock and worker are recorded as one: a holder that is no worker has said that it stopped.
    if (worker && (await ports.workers.check(worker)) !== 'dead') throw getLockedError(worker.pid);
    adoptedFence = holder.fence;
  }
}

function getLockedError(pid: number): HarnessError {
  return new HarnessError('locked', `another harness run is active (pid ${pid})`, {
    fix: 'wait for it, stop it, or set session_config.concurrency_mode: concurrent',
  });
}

async function removeDeadWorkers(ports: Ports, journal: Journal): Promise<void> {
  const noted = new Set<number>();
  for (const worker of [...journal.state.workers.values()]) {
    if ((await ports.workers.check(worker)) !== 'dead') continue;
    await ports.workers.reap(worker);
    await releaseDeadPorts(ports, worker);
    const text = `Removed stale lock from pid=${worker.pid}`;
    // Its lanes are workers of one process.
    if (!noted.has(worker.pid))
      await recordUntilDone(journal, { type: 'note.added', level: 'important', text });
    noted.add(worker.pid);
    const stillActive = getOwnAttempt(journal.state, worker.id) !== undefined;
    if (!stillActive)
      await recordUntilDone(journal, { type: 'worker.stopped', workerId: worker.id, reason: 'found dead' });
  }
}

/** In exclusive mode the lease proves that nobody else is at work: then more can be cleared. */
async function recover(ports: Ports, policy: Policy, journal: Journal): Promise<void> {
  for (const text of await ports.workspace.recover(policy.exclusive)) {
    await recordUntilDone(journal, { type: 'note.added', level: 'important', text });
  }
}

/** Lets go of the kept work of old attempts; a crash in between drops the same refs again, which does no harm. */
async function tidy(ports: Ports, policy: Policy, journal: Journal): Promise<void> {
  const expired = getExpiredAttempts(journal.state, await ports.store.nowMs(), policy.checkpoints);
  if (expired.length === 0) return;
  await ports.workspace.drop(expired.map(({ task, attempt }) => getAttemptRef(task, attempt)));
  await recordUntilDone(journal, { type: 'checkpoints.pruned', ids: expired.map(({ id }) => id) });
}

/** Facts that are true whatever else happened: recorded on whichever version is the newest. */
export async function recordUntilDone(journal: Journal, event: HarnessEvent): Promise<void> {
  for (;;) {
    const result = await journal.record([event]);
    if (result.ok) return;
    await journal.refresh();
  }
}
