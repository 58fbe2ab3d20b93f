import type { WorkerRef } from '../model/facts.ts';
import type { Stage } from '../state/attempt.ts';
import type { State } from '../state/state.ts';

/** A worker and what it works on: one of as many as there are lanes, processes and machines. */
export interface WorkerAtWork {
  readonly task: string;
  readonly attempt: number;
  readonly session: number;
  readonly stage: Stage;
  readonly startedAtMs: number;
  readonly worker: string;
  /** Enough to see whether it still lives; null for a worker nobody has heard of. */
  readonly process: Omit<WorkerRef, 'id'> | null;
}

/** Every worker with an attempt under way, in the order in which they began. */
export function getWorkersAtWork({ active, workers }: Pick<State, 'active' | 'workers'>): WorkerAtWork[] {
  return [...active.values()].map(({ task, number, session, stage, startedAtMs, worker }) => ({
    ...{ task, attempt: number, session, stage, startedAtMs, worker },
    process: getProcess(workers.get(worker)),
  }));
}

/** Whether there is more than a single worker to tell of. */
export function hasSeveralWorkers(all: readonly Pick<WorkerAtWork, 'process'>[]): boolean {
  return all.length > 1 || all.some(({ process }) => process?.lane !== undefined);
}

function getProcess(worker: WorkerRef | undefined): Omit<WorkerRef, 'id'> | null {
  if (!worker) return null;
  const { id: _, ...process } = worker;
  return process;
}
