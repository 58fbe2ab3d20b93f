import { getCount } from '../base/text.ts';
import type { Policy } from '../model/policy.ts';
import type { AskedQuestion, OpenQuestion, QuestionOption } from '../model/question.ts';
import { getBasis } from '../model/task.ts';
import type { RunScope, World } from '../model/world.ts';
import { getBudget } from '../state/costs.ts';
import { isPromiseOnly } from '../state/objective.ts';
import type { State } from '../state/state.ts';
import { canGoWithoutAgent, type TaskState } from '../state/task-state.ts';
import { getSpentUsd } from './answer-question.ts';
import { getEscalation } from './escalation.ts';
import {
  getBrokenQuestion,
  getBudgetQuestion,
  getDriftQuestion,
  getRedEndQuestion,
  getRegressionQuestion,
  getSkippedQuestion,
} from './project-question.ts';

/** The settings that say when a person is asked. */
export type AskRules = Pick<
  Policy,
  | 'budget'
  | 'maxInterruptions'
  | 'maxStuckSessions'
  | 'maxVerificationSteps'
  | 'escalation'
  | 'testing'
  | 'testTimeoutMs'
  | 'projectGates'
>;

/** Everything that waits for a person, oldest first; also what nobody was running to ask. */
export function getOpenQuestions(state: State, rules: AskRules): readonly OpenQuestion[] {
  const unasked = [...state.people.unasked].flatMap(id => state.tasks.get(id) ?? []);
  return [
    ...[...state.people.questions.values()].filter(question => getSettling(state, rules, question) === null),
    ...unasked.map(task => ({ ...getStoppedQuestion(task, rules), askedAtMs: task.failedAtMs })),
  ];
}

/** An open question whose cause is gone, and why: nobody has to answer it. */
export function getSettledQuestion(
  state: State,
  rules: AskRules,
): { readonly id: string; readonly why: string } | null {
  for (const question of state.people.questions.values()) {
    const why = getSettling(state, rules, question);
    if (why !== null) return { id: question.id, why };
  }
  return null;
}

/** Money is the one cause that a configuration takes away. */
function getSettling(state: State, rules: AskRules, question: OpenQuestion): string | null {
  if (question.kind !== 'budget') return null;
  const task = question.task === null ? undefined : state.tasks.get(question.task);
  if (question.task !== null && task === undefined) return null;
  const { perSessionUsd, perTaskUsd, totalUsd } = getBudget(rules, state, task);
  const capUsd =
    task === undefined ? totalUsd : question.sessionUsd === undefined ? perTaskUsd : perSessionUsd;
  return getSpentUsd(state, question) < capUsd ? `$${capUsd} may be spent now` : null;
}

/** What has to be asked now, before anything else is begun: about tasks that stopped, money, the environment. */
export function getDueQuestion(
  state: State,
  rules: AskRules,
  scope: Pick<RunScope, 'environmentBroken'>,
  { tip }: Pick<World, 'tip'>,
): AskedQuestion | null {
  for (const id of state.people.unasked) {
    const task = state.tasks.get(id);
    if (task && !isPromised(task)) return getStoppedQuestion(task, rules);
  }
  const last = getLastRefusal(state, rules);
  if (last) return last;
  const open = [...state.people.questions.values()];
  if (isOutOfMoney(state, rules) && !open.some(({ kind, task }) => kind === 'budget' && task === null))
    return getBudgetQuestion(state, rules);
  const isAsked = open.some(({ kind }) => kind === 'sanity' || kind === 'reset');
  if (scope.environmentBroken && state.trouble.broken && !isAsked)
    return getBrokenQuestion(state.trouble.broken);
  return (
    getRegressionQuestion(state, rules) ??
    getRedEndQuestion(state, rules, tip) ??
    getDriftQuestion(state, rules) ??
    getSkippedQuestion(state)
  );
}

/** What counts by its promise alone is for nobody to look at: `harness loop` goes on with it by itself. */
function isPromised({ def, status, held }: TaskState): boolean {
  return status === 'blocked' && held?.awaitsPerson === true && isPromiseOnly(def);
}

/** Whoever worked last is looked at at once, not when its turn comes again: a person has more time to answer. */
function getLastRefusal(state: State, rules: AskRules): AskedQuestion | null {
  const last = state.recent.lastSession && state.tasks.get(state.recent.lastSession.task);
  return last?.status === 'retry' && !canGoWithoutAgent(last) ? getRefusal(state, last, rules) : null;
}

/** What a person has decided costs nothing and goes on. */
export function isOutOfMoney(state: State, rules: Pick<AskRules, 'budget'>): boolean {
  if (state.costs.usage.costUsd < getBudget(rules, state).totalUsd) return false;
  const first = state.tasks.get(state.ready.peek() ?? '');
  return first !== undefined && !canGoWithoutAgent(first);
}

/** What has to be asked about a task that came to a stop, whichever way it did. */
function getStoppedQuestion(task: TaskState, rules: Pick<AskRules, 'maxStuckSessions'>): AskedQuestion {
  const { def, status, history, attempts, held } = task;
  const last = history.at(-1);
  const why = last?.reason ?? task.blockedReason ?? '';
  const about = { task: def.id, cause: task.started };
  const title = getTitle(task);
  if (status === 'failed' && task.stuck >= rules.maxStuckSessions) return getStuck(task);
  if (status === 'failed') {
    const what = `Task ${def.id} has failed ${getCount(attempts, 'time')}.`;
    return getEscalation('attempts', about, { title, what, why, steps: last?.findings ?? [] });
  }
  if (last?.question) {
    const { question: what, why: because, steps, check } = last.question;
    return getEscalation('agent', about, { title, what, why: because, steps, check });
  }
  if (last?.by !== undefined) {
    const what = `The work of ${last.by} on task ${def.id} was rejected.`;
    return getEscalation('rejected', about, { title, what, why, steps: last.findings });
  }
  if (held?.awaitsPerson && def.verificationType === 'automated') {
    const what = `Task ${def.id} is done as far as a machine can tell; what is left only a person can decide.`;
    const { base, candidate } = held;
    const diff = `git diff ${base.slice(0, 12)} ${candidate.commit.slice(0, 12)}`;
    const steps = [...(last?.findings ?? []), `read what was changed: ${diff}`];
    return getEscalation('approve', about, { title, what, why, steps });
  }
  if (held?.awaitsPerson) {
    const what = `Task ${def.id} is to be looked at before it lands.`;
    return getEscalation('look', about, { title, what, why, steps: last?.findings ?? [] });
  }
  if (last?.satisfied) {
    const what = `What should prove task ${def.id} passes before any work: nothing is left to prove.`;
    const tested = def.testFile === null ? {} : ({ isTested: true } as const);
    const question = getEscalation('satisfied', about, { title, what, why, ...tested });
    return def.kind === undefined ? question : { ...question, options: question.options.map(leaveOut) };
  }
  if (last?.unprovable) {
    const what = `What should prove task ${def.id} cannot be run.`;
    return getEscalation('unprovable', about, { title, what, why });
  }
  const what = `Task ${def.id} cannot be done without a person.`;
  return getEscalation('impossible', about, { title, what, why, steps: last?.findings ?? [] });
}

/** What has to be asked before a task that could be taken is taken; null for nearly all of them. */
export function getRefusal(state: State, task: TaskState, rules: AskRules): AskedQuestion | null {
  const { def, usage, interruptions } = task;
  const { perTaskUsd } = getBudget(rules, state, task);
  const title = getTitle(task);
  const about = { task: def.id, cause: task.started };
  if (getBasis(def) === null) {
    const what = `Task ${def.id} has nothing that could prove it.`;
    const why =
      'it has neither a test_file nor a validation.command, and an agent saying that it is done proves nothing';
    const steps = ['give it one of them in the backlog, and commit it'];
    return getEscalation('unprovable', about, { title, what, why, steps });
  }
  if (usage.costUsd >= perTaskUsd) {
    const what = `Task ${def.id} spent $${usage.costUsd.toFixed(2)}, over its budget of $${perTaskUsd}.`;
    return getEscalation('budget', about, { title, what, why: 'costs.per_feature_usd is the limit' });
  }
  const session = getExpensiveSession(state, task, rules);
  if (session) return session;
  if (interruptions >= rules.maxInterruptions) {
    const what = `Task ${def.id} was interrupted ${getCount(interruptions, 'time')} without coming to an end.`;
    return getEscalation('stuck', about, { title, what, why: task.history.at(-1)?.reason ?? '' });
  }
  if (task.stuck >= rules.maxStuckSessions) return getStuck(task);
  const last = task.history.at(-1);
  if (rules.escalation.onRejected === 'ask' && task.attempts > 0 && last?.outcome === 'rejected') {
    const what = `The agent said that task ${def.id} is done; the checks say that it is not.`;
    return getEscalation('rejected', about, { title, what, why: last.reason, steps: last.findings });
  }
  const steps = def.verificationSteps.length;
  if (
    rules.escalation.onLarge === 'ask' &&
    steps > rules.maxVerificationSteps &&
    !task.people.waived.has('large')
  ) {
    const what = `Task ${def.id} has ${steps} verification steps; more than ${rules.maxVerificationSteps} is a lot for one session.`;
    return getEscalation('large', about, {
      title,
      what,
      why: 'features.max_verification_steps is the limit',
    });
  }
  return null;
}

/** Asked about a session that ran into its own cap: the next one would cost as much again. */
function getExpensiveSession(state: State, task: TaskState, rules: AskRules): AskedQuestion | null {
  const { lastSession } = state.recent;
  const { perSessionUsd, totalUsd } = getBudget(rules, state, task);
  if (lastSession?.task !== task.def.id || lastSession.outcome !== 'budget') return null;
  const { costUsd } = lastSession.usage;
  const isAsked = costUsd >= perSessionUsd && state.costs.usage.costUsd < totalUsd;
  if (!isAsked || task.people.waived.has('budget')) return null;
  const about = { task: task.def.id, cause: `session-${lastSession.session}` };
  return getEscalation('budget', about, {
    title: getTitle(task),
    what: `Session ${lastSession.session} cost $${costUsd.toFixed(2)}, and a session may cost $${perSessionUsd}.`,
    why: 'costs.per_session_usd is the limit; its work is kept, and the next session goes on from it',
    sessionUsd: costUsd,
  });
}

/** What no backlog lists has nothing to be marked in. */
function leaveOut(option: QuestionOption): QuestionOption {
  return option.effect === 'accept' ? { ...option, label: 'the base does it already: leave it out' } : option;
}

function getStuck(task: TaskState): AskedQuestion {
  const { def, stuck } = task;
  const last = task.history.at(-1);
  return getEscalation(
    'stuck',
    { task: def.id, cause: task.started },
    {
      title: getTitle(task),
      what: `Task ${def.id} did not get done in ${stuck} sessions.`,
      why: last?.reason ?? '',
      steps: last?.findings ?? [],
    },
  );
}

function getTitle({ def }: TaskState): string {
  return `task ${def.id}: ${def.title}`;
}
