import { findCycles } from '../base/graph.ts';
import type { Policy } from '../model/policy.ts';
import type { AskedQuestion, OpenQuestion } from '../model/question.ts';
import type { TaskDef } from '../model/task.ts';
import type { RunScope } from '../model/world.ts';
import { getBudget } from '../state/costs.ts';
import type { Broken, State } from '../state/state.ts';
import { canGoWithoutAgent, type TaskState } from '../state/task-state.ts';
import { getEscalation } from './escalation.ts';

/** The settings that say when a person is asked. */
export type AskRules = Pick<
  Policy,
  'budget' | 'maxInterruptions' | 'maxStuckSessions' | 'maxVerificationSteps' | 'escalation'
>;

/** Everything that waits for a person, oldest first; also what nobody was running to ask. */
export function getOpenQuestions(state: State, rules: AskRules): readonly OpenQuestion[] {
  const unasked = [...state.people.unasked].flatMap(id => state.tasks.get(id) ?? []);
  return [
    ...state.people.questions.values(),
    ...unasked.map(task => ({ ...getStoppedQuestion(task, rules), askedAtMs: task.failedAtMs })),
  ];
}

/** What has to be asked now, before anything else is begun: about tasks that stopped, money, the environment. */
export function getDueQuestion(
  state: State,
  rules: AskRules,
  scope: Pick<RunScope, 'environmentBroken'>,
): AskedQuestion | null {
  for (const id of state.people.unasked) {
    const task = state.tasks.get(id);
    if (task) return getStoppedQuestion(task, rules);
  }
  const last = getLastRefusal(state, rules);
  if (last) return last;
  const open = [...state.people.questions.values()];
  if (isOutOfMoney(state, rules) && !open.some(({ kind, task }) => kind === 'budget' && task === null))
    return getBudgetQuestion(state, rules);
  const isAsked = open.some(({ kind }) => kind === 'sanity' || kind === 'reset');
  if (scope.environmentBroken && state.trouble.broken && !isAsked)
    return getBrokenQuestion(state.trouble.broken);
  return getRegressionQuestion(state) ?? getRedEndQuestion(state);
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
    const what = `Task ${def.id} has failed ${attempts} times.`;
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
    return getEscalation('satisfied', about, { title, what, why });
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
  if (usage.costUsd >= perTaskUsd) {
    const what = `Task ${def.id} spent $${usage.costUsd.toFixed(2)}, over its budget of $${perTaskUsd}.`;
    return getEscalation('budget', about, { title, what, why: 'costs.per_feature_usd is the limit' });
  }
  if (interruptions >= rules.maxInterruptions) {
    const what = `Task ${def.id} was interrupted ${interruptions} times without coming to an end.`;
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

/** Asked when a changed backlog has tasks that wait for each other; the others go on. */
export function getCycleQuestion(defs: readonly TaskDef[], blob: string): AskedQuestion | null {
  const cycles = findCycles(defs);
  if (cycles.length === 0) return null;
  const named = cycles.map(cycle => cycle.join(' → '));
  const words = {
    title: 'the backlog',
    what: `These tasks wait for each other: ${named.join('; ')}.`,
    why: 'none of them could ever begin',
    steps: ['take one of the dependencies out of the backlog, and commit it'],
    about: [...new Set(cycles.flat())],
  };
  return getEscalation('cycle', { task: null, cause: blob.slice(0, 10) }, words);
}

/** Asked once nothing may be spent any more. */
function getBudgetQuestion(state: State, rules: Pick<AskRules, 'budget'>): AskedQuestion {
  const { totalUsd } = getBudget(rules, state);
  const spent = state.costs.usage.costUsd.toFixed(2);
  return getEscalation(
    'budget',
    { task: null, cause: totalUsd },
    {
      title: 'the project',
      what: `$${spent} is spent, and the project may cost $${totalUsd}.`,
      why: 'costs.total_project_usd is the limit',
    },
  );
}

function getBrokenQuestion({ task, attempt, reason }: Broken): AskedQuestion {
  const isReset = reason.includes('environment.reset');
  const what = isReset
    ? 'The environment could not be brought back to a clean state.'
    : 'The environment is still broken after everything that was tried.';
  const steps = ['fix it, then harness run', 'harness doctor says what is missing'];
  const words = { title: 'the environment', what, why: reason, steps, about: [task] };
  return getEscalation(isReset ? 'reset' : 'sanity', { task: null, cause: `${task}-${attempt}` }, words);
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

/** Asked when the base got worse and no landed task answers for it: work goes on beside it. */
function getRegressionQuestion(state: State): AskedQuestion | null {
  const { baseRegressions } = state.suite;
  if (!baseRegressions || isAllLanded(state)) return null;
  for (const task of state.tasks.values()) if (task.reopened) return null;
  const { tests, tree } = baseRegressions;
  const count =
    tests.length === 1 ? 'A test that passed before fails' : `${tests.length} tests that passed before fail`;
  const words = {
    title: 'the base',
    what: `${count} on the base, and no landed task answers for it: ${tests.slice(0, 5).join(', ')}.`,
    why: 'a change from outside broke it; new work is held only to what passes on the base',
    steps: ['git log shows what came onto the base; fix it, or undo it with git revert'],
  };
  return getUnlessKnown(state, getEscalation('regression', { task: null, cause: tree.slice(0, 10) }, words));
}

/** Asked when everything is landed and the last look at the whole says that it does not work. */
function getRedEndQuestion(state: State): AskedQuestion | null {
  const { checked } = state.suite;
  if (!checked || checked.broken.length === 0 || !isAllLanded(state)) return null;
  const total = state.tasks.size - state.counts.removed;
  const words = {
    title: 'the whole',
    what: `All ${total} tasks are landed, and the suite fails at the tip: ${checked.broken.slice(0, 5).join(', ')}.`,
    why: 'no proven task answers for it: a change from outside, or a task that was only marked as done',
    steps: ['harness report lists what was marked as done and never proven'],
    about: [...state.tasks.values()].filter(isUnproven).map(({ def }) => def.id),
  };
  const cause = checked.commit.slice(0, 10);
  return getUnlessKnown(state, getEscalation('all-done-red', { task: null, cause }, words));
}

function isUnproven({ status, landed }: TaskState): boolean {
  return status === 'landed' && (landed?.commit == null || landed.unproven !== undefined);
}

function isAllLanded({ tasks, counts }: State): boolean {
  return counts.landed > 0 && counts.landed === tasks.size - counts.removed;
}

/** Once is enough: while it is open, and when somebody said that it need not be asked again. */
function getUnlessKnown(state: State, question: AskedQuestion): AskedQuestion | null {
  return state.people.questions.has(question.id) || state.people.waived.has(question.id) ? null : question;
}
