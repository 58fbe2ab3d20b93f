import { createRandom } from '../../adapters/process/random.ts';
import { createWorkers } from '../../adapters/process/workers.ts';
import type { WorkerRef } from '../../core/model/facts.ts';
import type { State } from '../../core/state/state.ts';

/** Workers that are, or may be, at work. */
export async function findLiveWorkers(state: Pick<State, 'workers'>): Promise<WorkerRef[]> {
  const { check } = createWorkers(createRandom());
  const alive: WorkerRef[] = [];
  for (const worker of state.workers.values()) if ((await check(worker)) !== 'dead') alive.push(worker);
  return alive;
}
