import type { Policy } from '../core/model/policy.ts';
import type { SeenWorkers, World } from '../core/model/world.ts';
import type { State } from '../core/state/state.ts';
import type { Ports } from '../ports/index.ts';
import { refuseForeignLandings } from './find-foreign-landings.ts';

/** What files say that a person put there. */
export interface Signals {
  readonly stop: boolean;
  readonly pause: boolean;
  readonly pausedBefore: boolean;
}

/** Looks at the world once per turn; remembers only what cannot change for the same commit. */
export function createObserver(
  ports: Ports,
  policy: Policy,
): (state: State, signals: Signals) => Promise<World> {
  let seen: { commit: string; blob: string | null } | null = null;
  return async (state, signals) => {
    const tip = await ports.workspace.tip();
    if (seen?.commit !== tip.commit) {
      if (seen) await refuseForeignLandings(ports, state, { from: seen.commit, to: tip.commit });
      seen = { commit: tip.commit, blob: await ports.workspace.blobId(tip.commit, policy.backlogPath) };
    }
    return {
      ...(await readWorkers(ports, state)),
      tip: tip.commit,
      backlogBlob: seen.blob ?? 'missing',
      stopRequested: signals.stop,
      pauseRequested: signals.pause,
      pausedBefore: signals.pausedBefore,
    };
  };
}

/** Who is at work and who is gone; looking at it changes nothing, not even a branch. */
export async function readWorkers(
  { workers: known, store }: Pick<Ports, 'workers' | 'store'>,
  state: State,
): Promise<SeenWorkers> {
  const self = known.self.id;
  const workers = new Map<string, 'alive' | 'dead' | 'unknown'>();
  for (const attempt of state.active.values()) {
    const worker = state.workers.get(attempt.worker);
    if (worker && worker.id !== self) workers.set(worker.id, await known.check(worker));
  }
  const holder = state.queue.batch && state.workers.get(state.queue.batch.worker);
  if (holder && holder.id !== self) workers.set(holder.id, await known.check(holder));
  // The clock first: a lease that is renewed between the two must not look as if it had run out.
  const nowMs = await store.nowMs();
  const leases = state.active.size > 0 || state.queue.batch ? await store.leases() : [];
  return { nowMs, self, leases, workers };
}
