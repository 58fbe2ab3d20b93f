import type { HarnessEvent } from '../model/event.ts';
import type { OpenQuestion } from '../model/question.ts';
import type { State } from './state.ts';
import { moveTask } from './task-moves.ts';
import type { TaskState } from './task-state.ts';

type Asked = Extract<HarnessEvent, { type: 'question.asked' }>;
type Answered = Extract<HarnessEvent, { type: 'question.answered' }>;
type Raised = Extract<HarnessEvent, { type: 'budget.raised' }>;

/** A question keeps its task out of the queue, and nothing else; one about the project waits beside the work. */
export function applyAsked(state: State, event: Asked, atMs: number, touched: Set<string>): void {
  const { type: _, ...question } = event;
  const task = event.task === null ? undefined : state.tasks.get(event.task);
  if (event.task !== null && !task) return;
  if (task?.status === 'active' || task?.status === 'landed' || task?.status === 'removed')
    throw new Error(`task ${event.task} was asked about while it is ${task.status}`);
  if (task && task.status !== 'failed') {
    if (task.status !== 'blocked') task.setAside = event.what;
    moveTask(state, task, 'blocked', touched);
  }
  if (task?.question) state.questions.delete(task.question);
  state.questions.set(event.id, { ...question, askedAtMs: atMs });
  if (!task) return;
  state.unasked.delete(task.def.id);
  task.question = event.id;
}

/** What a person said is kept for whoever goes on; only an answer to an agent sets its task going by itself. */
export function applyAnswered(state: State, event: Answered, touched: Set<string>): void {
  const question = state.questions.get(event.id);
  if (!question) throw new Error(`question ${event.id} was answered and is not open`);
  state.questions.delete(event.id);
  const effect = question.options.find(({ key }) => key === event.option)?.effect;
  const task = question.task === null ? undefined : state.tasks.get(question.task);
  if (!task && (effect === 'proceed' || effect === 'wait')) state.waived.add(event.id);
  if (!task) return;
  task.question = null;
  if (event.text) task.answers.push({ question: question.what, text: event.text, by: event.by });
  if (effect === 'continue') goOn(state, task, event, touched);
  if (effect === 'proceed') {
    task.waived.add(question.kind);
    moveTask(state, task, 'pending', touched);
  }
}

/** The work that the agent left when it asked is the work that goes on. */
function goOn(state: State, task: TaskState, { by }: Answered, touched: Set<string>): void {
  const last = task.history.pop();
  if (last) {
    const reason = `it asked for something, and ${by} answered`;
    task.history.push({ ...last, outcome: 'partial', reason, findings: [], question: null });
  }
  moveTask(state, task, 'retry', touched);
}

export function applyRaised(state: State, event: Raised, touched: Set<string>): void {
  if (event.task === null) {
    state.raisedToUsd = event.toUsd;
    closeQuestions(state, ({ kind, task }) => kind === 'budget' && task === null);
    return;
  }
  const task = state.tasks.get(event.task);
  if (!task) return;
  task.raisedToUsd = event.toUsd;
  touched.add(event.task);
  if (task.status === 'blocked') moveTask(state, task, 'retry', touched);
}

/** Takes away questions whose cause is gone. */
export function closeQuestions(state: State, isOver: (question: OpenQuestion) => boolean): void {
  for (const question of state.questions.values()) if (isOver(question)) state.questions.delete(question.id);
}
