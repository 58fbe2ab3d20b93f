import { getFirstLine } from '../base/text.ts';
import { type DropRecord, getDropKey } from '../model/drop.ts';
import type { AttemptRef, Candidate, HumanAnswer, Override } from '../model/facts.ts';
import type { State } from '../state/state.ts';
import { moveTask } from '../state/task-moves.ts';
import type { TaskState } from '../state/task-state.ts';
import { type EventTable, getNamedTask } from './kind.ts';

/** What people did about a task: judged it, did it themselves, vouched for it, left something for its agent. */
export type PeopleEvent =
  /** What a person found who looked at the work of an attempt: this tree and no other. */
  | (AttemptRef & HumanAnswer & { readonly type: 'human.answered' })
  /** A person says that a task is done, without any proof. */
  | (Override & { readonly type: 'task.overridden'; readonly task: string; readonly unproven: true })
  /** A person did the task; it is judged like anybody else's work, and lands by the same proof. */
  | {
      readonly type: 'work.handed-in';
      readonly task: string;
      readonly by: string;
      readonly base: string;
      readonly baseTree: string;
      readonly candidate: Candidate;
    }
  /** Something that people left was given to an agent, or cannot be; from now on it is not new. */
  | (DropRecord & { readonly type: 'drop.taken' });

export const PEOPLE_EVENTS: EventTable<PeopleEvent> = {
  'human.answered': {
    level: 'important',
    line: ({ task, by, passed, note }) =>
      `  task ${task}: ${by} says ${getYesOrNo(passed, getFirstLine(note))}`,
    progress: ({ task, by, passed, note }) => [`CHECKPOINT [${task}] ${by} says ${getYesOrNo(passed, note)}`],
    decision: ({ passed, by, note, tree }) => ({ type: 'human_answer', passed, by, note, tree }),
    /** A yes lets the kept work land; a no sends it back to an agent, with the note as the finding. */
    apply(state, event, { touched }) {
      const task = getWaiting(state, event);
      const { held } = task;
      if (!held?.awaitsPerson || held.attempt !== event.attempt || held.candidate.tree !== event.tree) {
        throw new Error(`task ${event.task} was answered for work that nobody was asked about`);
      }
      const { tree, passed, by, note } = event;
      task.answer = { tree, passed, by, note };
      if (!passed) sendBack(task, event);
      moveTask(state, task, 'retry', touched);
    },
  },
  'task.overridden': {
    level: 'critical',
    line: ({ task, by, reason }) =>
      `! task ${task} is to count as done, unproven, by the word of ${by}: ${getFirstLine(reason)}`,
    progress: ({ task, by, reason }) => [`WARN [${task}] UNPROVEN: overridden by ${by}: ${reason}`],
    decision: ({ by, reason }) => ({ type: 'override', unproven: true, by, reason }),
    apply(state, event, { touched }) {
      const task = getWaiting(state, event);
      const { reason, by, workOf } = event;
      if (workOf !== null && task.held?.attempt !== workOf) {
        throw new Error(`task ${event.task} was overridden with work that is not kept`);
      }
      task.override = { reason, by, workOf };
      moveTask(state, task, 'pending', touched);
    },
  },
  'work.handed-in': {
    level: 'important',
    line: ({ task, by, candidate }) => `  task ${task}: ${by} handed in ${candidate.commit.slice(0, 10)}`,
    progress: ({ task, by, candidate }) => [
      `CHECKPOINT [${task}] handed in by ${by} (commit ${candidate.commit})`,
    ],
    /** Takes the place of whatever an attempt left. */
    apply(state, event, { touched }) {
      const task = getWaiting(state, event);
      const { base, baseTree, candidate } = event;
      task.held = { attempt: task.started + 1, base, baseTree, candidate, awaitsPerson: false };
      task.handedInBy = event.by;
      moveTask(state, task, 'pending', touched);
    },
  },
  'drop.taken': {
    level: 'important',
    line({ name, how, task, text }) {
      if (how === 'refused') return `  ${name} cannot be told to anybody: ${text}`;
      const reader = task === null ? 'the planner' : `whoever works on task ${task}`;
      return `  ${name} is told to ${reader} (${how})`;
    },
    progress: ({ name, how, task }) => [`CHECKPOINT ${task === null ? '' : `[${task}] `}${name}: ${how}`],
    /** Remembered by what it says and whom for: the same file twice is once. */
    apply(state, { name, role, text, sha256, task: id, how }) {
      state.people.drops.add(getDropKey(role, sha256));
      const task = id === null ? undefined : state.tasks.get(id);
      if (task && how !== 'refused') task.drops = [...task.drops, { name, role, text }];
    },
  },
};

function getYesOrNo(passed: boolean, note: string): string {
  return `${passed ? 'yes' : 'no'}${note ? `: ${note}` : ''}`;
}

/** The next attempt goes on from the work that was looked at. */
function sendBack(task: TaskState, { by, note }: HumanAnswer): void {
  const last = task.history.pop();
  if (!last) return;
  const reason = `${by} looked at it and said no${note ? `: ${note}` : ''}`;
  task.history.push({ ...last, outcome: 'partial', reason, findings: note ? [note] : [] });
}

function getWaiting(state: State, event: PeopleEvent & { readonly task: string }): TaskState {
  const task = getNamedTask(state, event);
  if (task.status === 'active' || task.status === 'landed' || task.status === 'removed') {
    throw new Error(`event ${event.type} names task ${event.task}, which is ${task.status}`);
  }
  return task;
}
