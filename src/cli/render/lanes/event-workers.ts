import type { HarnessEvent } from '../../../core/events/event.ts';

/** The worker behind an event, as far as it is known. */
export interface EventWorker {
  readonly worker: string;
  readonly lane?: number;
  readonly host?: string;
}

/** Finds the worker of each event, from what the events before it said: most name their attempt alone. */
export interface EventWorkers {
  /** Events are asked about once each, in their order. */
  find(event: HarnessEvent): EventWorker | null;
}

/** Knows nobody yet. */
export function createEventWorkers(): EventWorkers {
  const workers = new Map<string, EventWorker>();
  const active = new Map<string, { readonly attempt: number; readonly worker: string }>();
  const getWorker = (id: string): EventWorker => workers.get(id) ?? { worker: id };
  const getOfTask = (task: string, attempt: number | undefined): EventWorker | null => {
    const found = active.get(task);
    return found && (attempt === undefined || attempt === found.attempt) ? getWorker(found.worker) : null;
  };
  return {
    find(event) {
      switch (event.type) {
        case 'worker.started': {
          const { id, lane, host } = event.worker;
          workers.set(id, { ...(lane === undefined ? {} : { lane }), worker: id, host });
          return getWorker(id);
        }
        case 'worker.stopped':
          return getWorker(event.workerId);
        case 'attempt.started':
        case 'attempt.taken-over':
          active.set(event.task, { attempt: event.attempt, worker: event.worker });
          return getWorker(event.worker);
        case 'task.landed':
        case 'attempt.ended': {
          const found = getOfTask(event.task, event.attempt);
          if (found) active.delete(event.task);
          return found;
        }
        default: {
          const { task, attempt } = event as { readonly task?: string | null; readonly attempt?: number };
          return task == null ? null : getOfTask(task, attempt);
        }
      }
    },
  };
}
