import { getFirstLine, getInBrackets } from '../base/text.ts';
import { IllegalMove, moveTask } from '../state/task-moves.ts';
import type { EventTable } from './kind.ts';

/** What becomes of a task without an attempt at it, and other decisions about the work as a whole. */
export type TaskEvent =
  | { readonly type: 'task.blocked'; readonly task: string; readonly reason: string }
  | {
      readonly type: 'task.reset';
      readonly task: string;
      readonly reason: string;
      /** It begins from the base again, whatever an attempt left. */
      readonly dropWork?: true;
    }
  /** It had landed, and a later change by somebody else broke what proved it. */
  | {
      readonly type: 'task.reopened';
      readonly task: string;
      readonly reason: string;
      readonly tests: readonly string[];
    }
  /** A person wants the code cleaned up, due or not. */
  | { readonly type: 'cleanup.requested'; readonly by: string; readonly reason: string }
  /** Old attempts whose kept work is no longer kept. */
  | { readonly type: 'checkpoints.pruned'; readonly ids: readonly string[] };

export const TASK_EVENTS: EventTable<TaskEvent> = {
  'task.blocked': {
    level: 'important',
    line: ({ task, reason }) => `■ task ${task} is set aside: ${reason}`,
    progress: ({ task, reason }) => [`WARN [${task}] blocked: ${reason}`],
    decision: ({ reason }) => ({ type: 'blocked', reason }),
    apply(state, { task: id, reason }, { touched }) {
      const task = state.tasks.get(id);
      if (!task) return;
      if (state.active.has(id)) throw new IllegalMove(id, task.status, 'blocked');
      task.setAside = reason;
      moveTask(state, task, 'blocked', touched);
      // Somebody has decided: there is nothing left to ask.
      state.people.unasked.delete(id);
      if (task.question !== null) state.people.questions.delete(task.question);
      task.question = null;
    },
  },
  'task.reset': {
    level: 'important',
    line: ({ task, reason }) => `  task ${task}: reset (${reason})`,
    progress: ({ task, reason }) => [`RECOVERY [${task}] action="reset" reason="${reason}"`],
    decision: ({ reason }) => ({ type: 'reset', reason }),
    apply(state, { task: id, dropWork }, { touched }) {
      const task = state.tasks.get(id);
      if (!task) return;
      const last = task.history.at(-1);
      if (dropWork && last) task.history.splice(-1, 1, { ...last, wip: null });
      task.stuck = 0;
      task.attempts = 0;
      task.interruptions = 0;
      task.authorAttempts = 0;
      task.last = null;
      task.held = null;
      task.answer = null;
      task.handedInBy = null;
      task.override = null;
      moveTask(state, task, 'pending', touched);
    },
  },
  'task.reopened': {
    level: 'important',
    line: ({ task, reason }) => `! task ${task} is open again: ${getFirstLine(reason)}`,
    progress: ({ task, reason }) => [`WARN [${task}] reopened: ${reason}`],
    decision: ({ reason, tests }) => ({ type: 'reopened', reason, tests }),
    /** It goes before all others; what depends on it waits. */
    apply(state, { task: id, reason, tests }, { atMs, touched }) {
      const task = state.tasks.get(id);
      if (task?.status !== 'landed') return;
      const last = task.history.at(-1);
      task.reopened = { reason, tests, landed: task.landed };
      task.attempts = 0;
      task.interruptions = 0;
      task.last = null;
      // The next attempt is told what is wrong the way it is told after any other.
      if (last)
        task.history.push({
          ...last,
          outcome: 'failed',
          reason,
          findings: tests,
          wip: null,
          endedAtMs: atMs,
        });
      moveTask(state, task, 'pending', touched);
    },
  },
  'cleanup.requested': {
    level: 'important',
    line: ({ by, reason }) => `  ${by} asks for a clean-up${getInBrackets(getFirstLine(reason))}`,
    progress: ({ by, reason }) => [`CHECKPOINT ${by} asks for a clean-up${reason ? `: ${reason}` : ''}`],
    apply(state) {
      state.cleanup = { ...state.cleanup, requested: true };
    },
  },
  'checkpoints.pruned': {
    level: 'debug',
    apply(state, { ids }) {
      const gone = new Set(ids);
      const left = state.checkpoints.filter(({ checkpoint }) => !gone.has(checkpoint.id));
      state.checkpoints.splice(0, state.checkpoints.length, ...left);
    },
  },
};
