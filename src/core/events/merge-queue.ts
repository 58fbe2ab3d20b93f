import { getCount } from '../base/text.ts';
import type { AttemptRef } from '../model/facts.ts';
import { mayLand } from '../state/attempt.ts';
import type { Batch } from '../state/merge-queue.ts';
import type { State } from '../state/state.ts';
import type { EventTable } from './kind.ts';

/** How the proven work of several workers lands: queued one by one, together as one merge. */
export type MergeQueueEvent =
  /** Proven, with the commit that will land byte for byte; its worker is free. */
  | (AttemptRef & { readonly type: 'candidate.queued'; readonly commit: string })
  | (BatchRef & {
      readonly type: 'batch.started';
      readonly worker: string;
      readonly members: readonly AttemptRef[];
    })
  | (BatchRef & { readonly type: 'batch.taken-over'; readonly worker: string; readonly reason: string })
  /** The suite passed with all of them on this commit: what is about to land. */
  | (BatchRef & {
      readonly type: 'batch.proven';
      readonly commit: string;
      readonly tree: string;
      readonly onto: string;
      /** How often the suite was run for it. */
      readonly suites: number;
      readonly members: readonly AttemptRef[];
    })
  /** It is over; what of it has landed says so itself, and the rest waits for the next one. */
  | (BatchRef & { readonly type: 'batch.ended'; readonly commit: string | null; readonly reason: string });

interface BatchRef {
  readonly batch: number;
}

export const MERGE_QUEUE_EVENTS: EventTable<MergeQueueEvent> = {
  'candidate.queued': {
    level: 'routine',
    line: ({ task }) => `  task ${task}: proven, waits in the merge queue`,
    progress: ({ task }) => [`CHECKPOINT [${task}] waits in the merge queue`],
    advance({ attempt, atMs }, { task, commit }) {
      if (!mayLand(attempt)) throw new Error(`task ${task} was queued without a proven verdict`);
      attempt.stage = 'queued';
      attempt.landing = commit;
      attempt.queuedAtMs = atMs;
    },
  },
  'batch.started': {
    level: 'routine',
    line: ({ batch, members }) =>
      `▶ batch ${batch}: ${getCount(members.length, 'task')} (${members.map(({ task }) => task).join(', ')})`,
    apply({ queue, active }, { batch, worker, members }) {
      if (queue.batch !== null) throw new Error(`batch ${batch} was started in the middle of one`);
      if (batch <= queue.batches) throw new Error(`batch ${batch} was started twice`);
      for (const { task, attempt } of members) {
        const { number, stage } = active.get(task) ?? {};
        if (number !== attempt || stage !== 'queued')
          throw new Error(`task ${task} is not queued for batch ${batch}`);
      }
      queue.batches = batch;
      queue.batch = { number: batch, members, worker, former: null, commit: null };
    },
  },
  'batch.taken-over': {
    level: 'important',
    line: ({ batch, reason }) => `  batch ${batch}: adopted (${reason})`,
    apply(state, event) {
      const batch = getBatch(state, event);
      batch.former = state.workers.get(batch.worker) ?? null;
      batch.worker = event.worker;
    },
  },
  'batch.proven': {
    level: 'routine',
    line: ({ batch, commit }) =>
      `  batch ${batch}: the suite passes with all of them (${commit.slice(0, 10)})`,
    apply(state, event) {
      getBatch(state, event).commit = event.commit;
    },
  },
  'batch.ended': {
    level: 'important',
    line: ({ batch, commit, reason }) =>
      commit === null ? `  batch ${batch}: ${reason}` : `✔ batch ${batch} landed as ${commit.slice(0, 10)}`,
    decision: ({ batch, commit, reason }) => ({ type: 'batch_ended', batch, commit, reason }),
    apply(state, event) {
      getBatch(state, event);
      state.queue.batch = null;
    },
  },
};

function getBatch({ queue }: State, { batch }: BatchRef): Batch {
  if (queue.batch?.number !== batch) throw new Error(`batch ${batch} is not under way`);
  return queue.batch;
}
