import { getFirstLine } from '../base/text.ts';
import type { AskedQuestion } from '../model/question.ts';
import { closeQuestions } from '../state/people.ts';
import type { State } from '../state/state.ts';
import { moveTask } from '../state/task-moves.ts';
import type { TaskState } from '../state/task-state.ts';
import type { EventTable } from './kind.ts';

/** What people are asked, and what they said. */
export type QuestionEvent =
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
  /** What the project, or one task, may cost from now on, whatever the config says below that. */
  | {
      readonly type: 'budget.raised';
      readonly task: string | null;
      readonly toUsd: number;
      readonly by: string;
    };

export const QUESTION_EVENTS: EventTable<QuestionEvent> = {
  'question.asked': {
    level: 'important',
    line: ({ what }) => `? ${what} (harness inbox)`,
    progress: ({ task, kind, what }) => [`WARN [${task ?? 'project'}] ESCALATION ${kind}: ${what}`],
    decision: ({ id, kind, what, why }) => ({ type: 'question', id, kind, what, why }),
    /** It keeps its task out of the queue, and nothing else; one about the project waits beside the work. */
    apply(state, { type: _, ...question }, { atMs, touched }) {
      const task = question.task === null ? undefined : state.tasks.get(question.task);
      if (question.task !== null && !task) return;
      if (task?.status === 'active' || task?.status === 'landed' || task?.status === 'removed')
        throw new Error(`task ${question.task} was asked about while it is ${task.status}`);
      if (task && task.status !== 'failed') {
        if (task.status !== 'blocked') task.setAside = question.what;
        moveTask(state, task, 'blocked', touched);
      }
      if (task?.question) state.people.questions.delete(task.question);
      state.people.questions.set(question.id, { ...question, askedAtMs: atMs });
      if (!task) return;
      state.people.unasked.delete(task.def.id);
      task.question = question.id;
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
        return;
      }
      task.question = null;
      if (text) task.answers.push({ question: question.what, text, by });
      if (effect === 'continue') goOn(state, task, by, touched);
      if (effect === 'proceed') {
        task.waived.add(question.kind);
        moveTask(state, task, 'pending', touched);
      }
    },
  },
  'budget.raised': {
    level: 'important',
    line: ({ by, task, toUsd }) =>
      `  ${by} raised what ${task === null ? 'the project' : `task ${task}`} may cost to $${toUsd}`,
    progress: ({ by, task, toUsd }) => [
      `CHECKPOINT ${by} raised the budget of ${task ?? 'the project'} to $${toUsd}`,
    ],
    decision: ({ toUsd, by }) => ({ type: 'budget_raised', to_usd: toUsd, by }),
    apply(state, { task: id, toUsd }, { touched }) {
      if (id === null) {
        state.people.raisedToUsd = toUsd;
        closeQuestions(state.people, ({ kind, task }) => kind === 'budget' && task === null);
        return;
      }
      const task = state.tasks.get(id);
      if (!task) return;
      task.raisedToUsd = toUsd;
      touched.add(id);
      if (task.status === 'blocked') moveTask(state, task, 'retry', touched);
    },
  },
};

/** The work that the agent left when it asked is the work that goes on. */
function goOn(state: State, task: TaskState, by: string, touched: Set<string>): void {
  const last = task.history.pop();
  if (last) {
    const reason = `it asked for something, and ${by} answered`;
    task.history.push({ ...last, outcome: 'partial', reason, findings: [], question: null });
  }
  moveTask(state, task, 'retry', touched);
}
