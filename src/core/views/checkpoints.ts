import type { Checkpoint } from '../model/facts.ts';
import { compareIds } from '../model/task.ts';
import type { State } from '../state/state.ts';
import type { PastStep } from '../state/task-state.ts';

/** A point before an attempt that can be returned to, and what came of the attempt. */
export interface CheckpointEntry {
  readonly id: string;
  readonly task: string;
  readonly attempt: number;
  readonly session: number;
  /** How it ended; null while it is under way. */
  readonly outcome: string | null;
  /** Where it began, and the hashes of what steered it. */
  readonly start: Pick<Checkpoint, 'commit' | 'backlogHash' | 'notesHash' | 'reason'>;
  /** What its agent said is finished. */
  readonly steps: readonly PastStep[];
}

/** One for every attempt that got a worktree, by task and number. */
export function getCheckpoints({
  tasks,
  active,
}: Pick<State, 'tasks' | 'active'>): readonly CheckpointEntry[] {
  const entries = new Map<string, CheckpointEntry>();
  for (const { def, history, steps } of tasks.values()) {
    const under = active.get(def.id);
    for (const one of [...history, ...(under ? [{ ...under, outcome: null }] : [])]) {
      const { number, session, outcome, checkpoint } = one;
      if (checkpoint === null || entries.has(checkpoint.id)) continue;
      const { id, commit, backlogHash, notesHash, reason } = checkpoint;
      const start = { commit, backlogHash, notesHash, reason };
      const own = steps.filter(({ attempt }) => attempt === number);
      entries.set(id, { id, task: def.id, attempt: number, session, outcome, start, steps: own });
    }
  }
  return [...entries.values()].sort((a, b) => compareIds(a.task, b.task) || a.attempt - b.attempt);
}
