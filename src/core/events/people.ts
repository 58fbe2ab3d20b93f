import { getFirstLine, getShortCommit } from '../base/text.ts';
import { type ContextFileRecord, getContextFileKey } from '../model/context-file.ts';
import type { AttemptRef, Candidate, HumanAnswer, Override } from '../model/facts.ts';
import type { AskedQuestion, Effect } from '../model/question.ts';
import { closeQuestions } from '../state/people.ts';
import type { State } from '../state/state.ts';
import { moveTask } from '../state/task-moves.ts';
import type { TaskState } from '../state/task-state.ts';
import { getBlockedLines, getCycleLines } from './dependency-lines.ts';
import { type EventTable, getNamedTask } from './kind.ts';

/** What people are asked and say, and what they did about a task: judged it, did it themselves, vouched for it. */
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
  /** What a person committed to the base themselves does a task, by the tests of that task and every check there is. */
  | {
      readonly type: 'work.accepted';
      readonly task: string;
      readonly by: string;
      /** Where they began, and what they came to. */
      readonly base: string;
      readonly commit: string;
    }
  /** Something that people left was given to an agent, or cannot be; from now on it is not new. */
  | (ContextFileRecord & { readonly type: 'drop.taken' })
  /** A person is asked; the task it is about waits, everything else goes on. */
  | (AskedQuestion & { readonly type: 'question.asked' })
  | {
      readonly type: 'question.answered';
      readonly id: string;
      /** The key of an option; null when the words are all there is. */
      readonly option: string | null;
      readonly text: string;
      readonly by: string;
    }
  /** Its cause is gone, and nobody has to answer it any more. */
  | { readonly type: 'question.withdrawn'; readonly id: string; readonly why: string }
  /** What the project, one task, or every session may cost from now on, whatever the config says below that. */
  | {
      readonly type: 'budget.raised';
      /** With `perSession`, the task that waits for it. */
      readonly task: string | null;
      readonly perSession?: true;
      readonly toUsd: number;
      readonly by: string;
    };

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
      task.people.answer = { tree, passed, by, note };
      if (!passed) sendBack(task, event);
      moveTask(state, task, 'retry', touched);
    },
  },
  'task.overridden': {
    level: 'critical',
    line: ({ task, by, reason, satisfied }) =>
      `! task ${task} is to count as done, ${satisfied ? 'by its own tests' : 'unproven'}, by the word of ${by}: ${getFirstLine(reason)}`,
    progress: ({ task, by, reason, satisfied }) => [
      `WARN [${task}] ${satisfied ? 'ACCEPTED' : 'UNPROVEN'}: overridden by ${by}: ${reason}`,
    ],
    decision: ({ by, reason }) => ({ type: 'override', unproven: true, by, reason }),
    apply(state, event, { touched }) {
      const task = getWaiting(state, event);
      const { reason, by, workOf, satisfied } = event;
      if (workOf !== null && task.held?.attempt !== workOf) {
        throw new Error(`task ${event.task} was overridden with work that is not kept`);
      }
      task.people.override = { reason, by, workOf, ...(satisfied ? { satisfied } : {}) };
      moveTask(state, task, 'pending', touched);
    },
  },
  'work.handed-in': {
    level: 'important',
    line: ({ task, by, candidate }) => `  task ${task}: ${by} submitted ${candidate.commit.slice(0, 10)}`,
    progress: ({ task, by, candidate }) => [
      `CHECKPOINT [${task}] submitted by ${by} (commit ${candidate.commit})`,
    ],
    /** Takes the place of whatever an attempt left. */
    apply(state, event, { touched }) {
      const task = getWaiting(state, event);
      const { base, baseTree, candidate } = event;
      task.held = { attempt: task.started + 1, base, baseTree, candidate, awaitsPerson: false };
      task.people.submittedBy = event.by;
      moveTask(state, task, 'pending', touched);
    },
  },
  'work.accepted': {
    level: 'important',
    line: ({ task, by, commit }) => `✔ task ${task} is done by hand, by ${by}, as of ${commit.slice(0, 10)}`,
    progress: ({ task, by, commit }) => [`Completed [${task}] (commit ${getShortCommit(commit)}) by ${by}`],
    apply(state, { task: id, commit }, { touched }) {
      const task = state.tasks.get(id);
      if (!task || task.status === 'active' || task.status === 'removed') return;
      task.landed = { commit, ref: null, attempt: 0 };
      moveTask(state, task, 'landed', touched);
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
      state.people.contextFiles.add(getContextFileKey(role, sha256));
      const task = id === null ? undefined : state.tasks.get(id);
      if (task && how !== 'refused')
        task.people.contextFiles = [...task.people.contextFiles, { name, role, text }];
    },
  },
  'question.asked': {
    level: 'important',
    line: ({ what }) => `? ${what} (harness inbox)`,
    progress: getQuestionLines,
    decision: ({ id, kind, what, why }) => ({ type: 'question', id, kind, what, why }),
    /** It keeps its task out of the queue, and nothing else; one about the project waits beside the work. */
    apply(state, { type: _, ...question }, { atMs, touched }) {
      const task = question.task === null ? undefined : state.tasks.get(question.task);
      if (question.task !== null && !task) return;
      if (task?.status === 'active' || task?.status === 'landed' || task?.status === 'removed')
        throw new Error(`task ${question.task} was asked about while it is ${task.status}`);
      if (task && task.status !== 'failed') {
        if (task.status !== 'blocked') task.blockedReason = question.what;
        moveTask(state, task, 'blocked', touched);
      }
      if (task?.people.question) state.people.questions.delete(task.people.question);
      state.people.questions.set(question.id, { ...question, askedAtMs: atMs });
      if (!task) return;
      state.people.unasked.delete(task.def.id);
      task.people.question = question.id;
    },
  },
  'question.answered': {
    level: 'important',
    line: ({ by, id, option, text }) =>
      `  ${by} answered ${id}: ${[option, getFirstLine(text)].filter(Boolean).join(', ')}`,
    progress: ({ by, id, option, text }) => [
      `CHECKPOINT ${by} answered ${id}: ${option ?? ''} ${text}`.trim(),
    ],
    decision: ({ id, option, text, by }) => ({ type: 'answer', id, option, text, by }),
    /** Kept for whoever goes on; only an answer to an agent sets its task going by itself. */
    apply(state, { id, option, text, by }, { touched }) {
      const question = state.people.questions.get(id);
      if (!question) throw new Error(`question ${id} was answered and is not open`);
      state.people.questions.delete(id);
      const effect = question.options.find(({ key }) => key === option)?.effect;
      const task = question.task === null ? undefined : state.tasks.get(question.task);
      if (!task) {
        if (effect === 'proceed' || effect === 'wait') state.people.waived.add(id);
        if (question.kind === 'regression' || question.kind === 'all-done-red') settleRed(state, effect);
        return;
      }
      task.people.question = null;
      if (text) task.people.answers.push({ question: question.what, text, by });
      if (effect === 'continue') goOn(state, task, by, touched);
      if (effect === 'proceed') {
        task.people.waived.add(question.kind);
        moveTask(state, task, 'pending', touched);
      }
    },
  },
  'question.withdrawn': {
    level: 'important',
    line: ({ id, why }) => `  question ${id} is withdrawn: ${why}`,
    progress: ({ id, why }) => [`CHECKPOINT question ${id} withdrawn: ${why}`],
    apply(state, { id }, { touched }) {
      const task = state.tasks.get(state.people.questions.get(id)?.task ?? '');
      state.people.questions.delete(id);
      if (!task) return;
      task.people.question = null;
      if (task.status === 'blocked') moveTask(state, task, 'retry', touched);
    },
  },
  'budget.raised': {
    level: 'important',
    line: ({ by, toUsd, ...what }) => `  ${by} raised what ${getSpender(what)} may cost to $${toUsd}`,
    progress: ({ by, toUsd, ...what }) => [
      `CHECKPOINT ${by} raised the budget of ${getSpender(what)} to $${toUsd}`,
    ],
    decision: ({ toUsd, by }) => ({ type: 'budget_raised', to_usd: toUsd, by }),
    apply(state, { task: id, perSession, toUsd }, { touched }) {
      if (id === null) {
        state.people.raisedToUsd = toUsd;
        closeQuestions(state.people, ({ kind, task }) => kind === 'budget' && task === null);
        return;
      }
      const task = state.tasks.get(id);
      if (!task) return;
      if (perSession) state.people.raisedSessionToUsd = toUsd;
      else task.people.raisedToUsd = toUsd;
      touched.add(id);
      if (task.status === 'blocked') moveTask(state, task, 'retry', touched);
    },
  },
};

function getSpender({
  task,
  perSession,
}: {
  readonly task: string | null;
  readonly perSession?: true;
}): string {
  if (perSession) return 'a session';
  return task === null ? 'the project' : `task ${task}`;
}

/** Whatever the answer, the base is looked at again before it is called red once more; what a person lives with is not. */
function settleRed({ suite }: State, effect: Effect | undefined): void {
  suite.redBase = null;
  if (effect !== 'proceed') return;
  for (const id of [...(suite.baseRegressions?.tests ?? []), ...(suite.checked?.broken ?? [])])
    suite.tolerated.add(id);
  suite.baseRegressions = null;
  if (suite.checked) suite.checked = { ...suite.checked, broken: [] };
}

/** What is said here for the first time is said in the words of its kind of error, too. */
function getQuestionLines({ task: id, kind, what, about }: AskedQuestion, state: State): string[] {
  const asked = `WARN [${id ?? 'project'}] ESCALATION ${kind}: ${what}`;
  if (kind === 'cycle') return [asked, ...getCycleLines(state, about ?? [])];
  const task = id === null ? undefined : state.tasks.get(id);
  if (!task || task.blockedReason !== what) return [asked];
  const cause = kind === 'unprovable' ? [`ERROR [${id}] [CONFIG] ${what}`] : [];
  return [...cause, asked, ...getBlockedLines(state, task.def.id)];
}

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

/** The work that the agent left when it asked is the work that goes on. */
function goOn(state: State, task: TaskState, by: string, touched: Set<string>): void {
  const last = task.history.pop();
  if (last) {
    const reason = `it asked for something, and ${by} answered`;
    task.history.push({ ...last, outcome: 'partial', reason, findings: [], question: null });
  }
  moveTask(state, task, 'retry', touched);
}
