import { findCycles } from '../base/graph.ts';
import { getShellQuoted } from '../base/shell-quoted.ts';
import { getCount } from '../base/text.ts';
import type { Policy } from '../model/policy.ts';
import type { AskedQuestion } from '../model/question.ts';
import { compareIds, isRepair, type TaskDef } from '../model/task.ts';
import { getTestFile } from '../model/testing.ts';
import { getBudget } from '../state/costs.ts';
import { isAllLanded, isMarked } from '../state/regression.ts';
import type { Broken, State } from '../state/state.ts';
import { getTotal } from '../state/task-moves.ts';
import { isSkipped } from '../state/task-state.ts';
import { getFeatureCommand } from '../testing/test-command.ts';
import { getEscalation } from './escalation.ts';

/** Asked about what was left out and what would build on it: that would wait without a word. */
export function getSkippedQuestion(state: State): AskedQuestion | null {
  if (state.counts.blocked === 0) return null;
  for (const task of state.open.values()) {
    const { id } = task.def;
    const behind = isSkipped(task) ? getWaitingFor(state, id) : [];
    if (behind.length === 0) continue;
    const names = behind.slice(0, 5).join(', ');
    const words = {
      title: `task ${id}: ${task.def.title}`,
      what: `Task ${id} was left out, and ${getCount(behind.length, 'task')} behind it cannot begin: ${names}.`,
      why: task.blockedReason ?? '',
      steps: [
        `do it by hand: harness handoff ${getShellQuoted(id)}`,
        `or count it as done without a proof: harness override ${getShellQuoted(id)} --reason "…"`,
      ],
      about: [id],
    };
    const about = { task: null, cause: `${id}-${task.started}` };
    const question = getUnlessKnown(state, getEscalation('skipped', about, words));
    if (question) return question;
  }
  return null;
}

/** Everything open that builds on a task, however far up. */
export function getWaitingFor({ tasks, dependents }: State, id: string): readonly string[] {
  const found = new Set<string>([id]);
  for (const one of found) for (const dependent of dependents.get(one) ?? []) found.add(dependent);
  const isWaiting = (one: string) => ['pending', 'retry'].includes(tasks.get(one)?.status ?? '');
  return [...found].filter(isWaiting).sort(compareIds);
}

/** Asked when a changed backlog has tasks that wait for each other; the others go on. */
export function getCycleQuestion(defs: readonly TaskDef[]): AskedQuestion | null {
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
  // By those it is about: another task that lands changes the backlog, and not this.
  return getEscalation('cycle', { task: null, cause: [...words.about].sort(compareIds).join('-') }, words);
}

/** Asked once nothing may be spent any more. */
export function getBudgetQuestion(state: State, rules: Pick<Policy, 'budget'>): AskedQuestion {
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

export function getBrokenQuestion({ task, attempt, reason }: Broken): AskedQuestion {
  const isReset = reason.includes('environment.reset');
  const what = isReset
    ? 'The environment could not be brought back to a clean state.'
    : 'The environment is still broken after everything that was tried.';
  const steps = ['fix it, then harness run', 'harness doctor says what is missing'];
  const words = { title: 'the environment', what, why: reason, steps, about: [task] };
  return getEscalation(isReset ? 'reset' : 'sanity', { task: null, cause: `${task}-${attempt}` }, words);
}

/** Asked when the base got worse and no landed task answers for it: nothing is begun on it until somebody has said what for. */
export function getRegressionQuestion(state: State, rules: RepairRules): AskedQuestion | null {
  const { baseRegressions } = state.suite;
  if (!baseRegressions || isAllLanded(state)) return null;
  const tests = getUnanswered(state, baseRegressions.tests, rules.testing.full);
  if (tests.length === 0 || isBeingRepaired(state)) return null;
  const { tree } = baseRegressions;
  const count =
    tests.length === 1 ? 'A test that passed before fails' : `${tests.length} tests that passed before fail`;
  const words = {
    title: 'the base',
    what: `${count} on the base, and no landed task answers for it: ${tests.slice(0, 5).join(', ')}.`,
    why: 'a change from outside broke it, and no agent is paid to build on that',
    steps: ['git log shows what came onto the base; fix it, or undo it with git revert'],
    ...getRepair(tests, rules),
  };
  return getUnlessKnown(state, getEscalation('regression', { task: null, cause: tree.slice(0, 10) }, words));
}

/** Asked when everything is landed and a look at this very tip says that it does not work; an older one says nothing. */
export function getRedEndQuestion(state: State, rules: RepairRules, tip: string): AskedQuestion | null {
  const { checked } = state.suite;
  if (checked?.commit !== tip || checked.broken.length === 0 || !isAllLanded(state)) return null;
  const total = getTotal(state);
  const marked = checked.marked.map(({ task }) => task);
  const unproven = [...state.tasks.values()].filter(isMarked).map(({ def }) => def.id);
  const words = {
    title: 'the whole',
    what: `All ${total} tasks are landed, and tests fail at the tip: ${checked.broken.slice(0, 5).join(', ')}.`,
    why: 'no proven task answers for it: a change from outside, a task that was only marked as done, or red all along',
    steps: ['harness report lists what was marked as done and never proven'],
    about: marked.length > 0 ? marked : unproven,
    ...getRepair(checked.broken, rules),
  };
  const cause = checked.commit.slice(0, 10);
  return getUnlessKnown(state, getEscalation('all-done-red', { task: null, cause }, words));
}

/** Asked when the product is too far from what was asked for; nothing is begun before somebody has said what follows. */
export function getDriftQuestion(
  state: State,
  { projectGates }: Pick<Policy, 'projectGates'>,
): AskedQuestion | null {
  const last = state.gates.last.get('fidelity');
  if (!last || last.passed || projectGates.fidelity.everyLandings === null) return null;
  const { summary, report, drift, commit } = last;
  const words = {
    title: 'the whole',
    what: `The product is not what was asked for: ${summary}.`,
    why: drift === null ? 'nobody can say how far it is' : 'fidelity.threshold is the limit',
    steps: [
      ...(report === null ? [] : [`read ${report}`]),
      'what is lacking becomes tasks by harness plan --spec <file>, or harness add; harness fidelity looks again',
    ],
    ...(drift === null ? {} : { drift }),
  };
  return getUnlessKnown(state, getEscalation('drift', { task: null, cause: commit.slice(0, 10) }, words));
}

type RepairRules = Pick<Policy, 'testing' | 'testTimeoutMs'>;

/** What an agent would have to make green: the files of these tests, or the whole suite where that says no more. */
function getRepair(
  tests: readonly string[],
  { testing, testTimeoutMs }: RepairRules,
): Pick<AskedQuestion, 'repair'> {
  const files = [...new Set(tests.map(getTestFile))];
  const isNamed = tests.every(id => id !== getTestFile(id));
  const alone = isNamed ? files.map(file => getFeatureCommand(testing, file)) : [];
  const commands = alone.length > 0 && !alone.includes(null) ? alone : [testing.full];
  const command = commands.join(' && ');
  const timeoutSeconds = Math.ceil((testTimeoutMs * commands.length) / 1_000);
  return command === '' ? {} : { repair: { tests, check: { command, timeoutSeconds } } };
}

/** Red tests that no task which is open again answers for. */
export function getUnanswered(state: State, red: readonly string[], suite: string | null): readonly string[] {
  const open = [...state.open.values()].filter(task => task.reopened !== null);
  const isAnswered = (id: string) =>
    open.some(
      ({ def, reopened, landed }) =>
        reopened?.tests.includes(id) ||
        def.testFile === getTestFile(id) ||
        (reopened?.landed ?? landed)?.files?.includes(getTestFile(id)),
    );
  return red.filter(id => !isAnswered(id) && (id !== suite || open.length === 0));
}

/** Somebody has set an agent on it: while that goes on there is nothing to ask. */
function isBeingRepaired({ open }: State): boolean {
  return [...open.values()].some(
    ({ def, status }) => isRepair(def) && (status === 'pending' || status === 'retry' || status === 'active'),
  );
}

/** Once is enough: while it is open, and when somebody said that it need not be asked again. */
function getUnlessKnown(state: State, question: AskedQuestion): AskedQuestion | null {
  return state.people.questions.has(question.id) || state.people.waived.has(question.id) ? null : question;
}
