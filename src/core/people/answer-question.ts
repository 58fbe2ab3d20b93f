import { getShare } from '../base/share.ts';
import { getShellQuoted } from '../base/shell-quoted.ts';
import type { HarnessEvent } from '../events/event.ts';
import type { AskedQuestion, QuestionOption } from '../model/question.ts';
import type { TaskDef } from '../model/task.ts';
import { getRaised } from '../state/costs.ts';
import { createRepair, getLoopId } from '../state/objective.ts';
import type { State } from '../state/state.ts';
import { getHandedOffReason, getSkippedReason, type TaskState } from '../state/task-state.ts';

export interface GivenAnswer {
  readonly option: QuestionOption;
  readonly text: string;
  readonly by: string;
}

/** What an answer does, as the events that are recorded with it in one transaction. */
export function getAnswerEvents(
  state: State,
  question: AskedQuestion,
  given: GivenAnswer,
): readonly HarnessEvent[] {
  const { id } = question;
  const { option, text, by } = given;
  const answered: HarnessEvent = { type: 'question.answered', id, option: option.key, text, by };
  const asked: HarnessEvent[] = state.people.questions.has(id)
    ? []
    : [{ type: 'question.asked', ...question }];
  return [...asked, answered, ...getEffects(state, question, given)];
}

function getEffects(state: State, question: AskedQuestion, given: GivenAnswer): readonly HarnessEvent[] {
  const { option, text, by } = given;
  const ids = getTasks(state, question);
  const reason = `${by} answered ${option.key}${text ? `: ${text}` : ''}`;
  switch (option.effect) {
    case 'retry':
      return ids.map(task => ({ type: 'task.reset', task, reason }));
    case 'repair':
      return getRepair(state, question);
    case 'reopen':
      return ids.map(task => ({ type: 'task.reopened', task, reason, tests: [] }));
    case 'restart':
      return ids.map(task => ({ type: 'task.reset', task, reason, dropWork: true }));
    case 'accept':
      return ids.map(task => getAccepted(state.tasks.get(task)?.def.kind, task, question, by));
    case 'skip':
      return ids.map(task => ({
        type: 'task.blocked',
        task,
        reason: getSkippedReason(by, text || question.what),
      }));
    case 'split':
      return ids.map(task => ({
        type: 'task.blocked',
        task,
        reason: `${by} wants it split: harness split ${getShellQuoted(task)}`,
      }));
    case 'handoff':
      return ids.map(task => ({
        type: 'task.blocked',
        task,
        reason: getHandedOffReason(task, by),
      }));
    case 'pass':
    case 'fail':
      return getLook(state.tasks.get(question.task ?? ''), { ...given, passed: option.effect === 'pass' });
    case 'raise':
      return [getRaise(state, question, given)];
    case 'allow':
      return [{ type: 'drift.allowed', upTo: getAllowed(text, question.drift ?? 0), by }];
    case 'override':
      return ids.map(task => ({
        ...{ type: 'task.overridden', task, by, workOf: null, unproven: true },
        reason: text || 'it was left out, and others build on it',
      }));
    case 'pause':
    case 'abort': {
      const mode = option.effect === 'pause' ? 'paused' : 'stopped';
      const aside = ids.map(task => ({ type: 'task.blocked', task, reason }) as const);
      return [{ type: 'control.changed', mode, by, reason }, ...aside];
    }
    case 'continue':
    case 'proceed':
    case 'wait':
      return [];
  }
}

/** An objective of its own, which nobody has to name: the run that goes on takes it first. */
function getRepair(state: State, { repair }: AskedQuestion): readonly HarnessEvent[] {
  if (!repair) return [];
  return [{ type: 'task.added', def: createRepair(getLoopId(state), repair.tests, repair.check) }];
}

/** Done by the word of a person; what no backlog lists has nothing to be marked in. */
function getAccepted(
  kind: TaskDef['kind'],
  task: string,
  { why, isTested }: AskedQuestion,
  by: string,
): HarnessEvent {
  const reason = `the base satisfies it already: ${why}`;
  if (kind !== undefined) return { type: 'task.blocked', task, reason: `accepted by ${by}: ${reason}` };
  const satisfied = isTested ? ({ satisfied: true } as const) : {};
  return { type: 'task.overridden', task, reason, by, workOf: null, unproven: true, ...satisfied };
}

/** The tasks that an answer is about, as far as something can be done with them. */
function getTasks(state: State, { task, about }: AskedQuestion): readonly string[] {
  const ids = task === null ? (about ?? []) : [task];
  return ids.filter(id => {
    const status = state.tasks.get(id)?.status;
    return status !== undefined && status !== 'active' && status !== 'removed';
  });
}

function getLook(
  task: TaskState | undefined,
  { passed, by, text }: GivenAnswer & { readonly passed: boolean },
): readonly HarnessEvent[] {
  if (!task?.held?.awaitsPerson) return [];
  const { attempt, candidate } = task.held;
  const { tree } = candidate;
  return [{ type: 'human.answered', task: task.def.id, attempt, tree, passed, by, note: text }];
}

function getRaise(state: State, question: AskedQuestion, { text, by }: GivenAnswer): HarnessEvent {
  const perSession = question.sessionUsd === undefined ? {} : ({ perSession: true } as const);
  const toUsd = getCap(getSpentUsd(state, question), text);
  return { type: 'budget.raised', task: question.task, ...perSession, toUsd, by };
}

/** As much as was said; without a number that can be one, as much as there is. */
function getAllowed(text: string, drift: number): number {
  const given = Number(text.replace(/%$/, ''));
  return text !== '' && given >= 0 && given <= 100 ? getShare(given) : drift;
}

/** What a cap has to be above to be of any use. */
export function getSpentUsd(state: State, { task, sessionUsd }: AskedQuestion): number {
  return sessionUsd ?? (task === null ? state.costs : state.tasks.get(task))?.usage.costUsd ?? 0;
}

function getCap(spentUsd: number, text: string): number {
  const givenUsd = Number(text.replace(/^\$/, ''));
  return text !== '' && Number.isFinite(givenUsd) ? givenUsd : getRaised(spentUsd);
}
