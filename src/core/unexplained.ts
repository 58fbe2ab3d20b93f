import { closeQuestions } from './apply-question.ts';
import { getEscalation } from './escalation.ts';
import { isQuarantined } from './flaky.ts';
import type { AskedQuestion } from './question.ts';
import type { State, TaskState } from './state.ts';
import type { Baseline } from './testing.ts';

/** Tests that passed at an earlier look at the base and fail at the last one. */
export interface Unexplained {
  readonly tree: string;
  readonly tests: readonly string[];
}

/** Remembers what has turned red on the base since the look before; called with that look still in the state. */
export function noteUnexplained(state: State, { tree, failing }: Baseline): void {
  const before = new Set([...(state.baseline?.passing ?? []), ...(state.unexplained?.tests ?? [])]);
  const tests = failing.filter(id => before.has(id) && !isQuarantined(state.quarantine, id));
  state.unexplained = tests.length > 0 ? { tree, tests } : null;
  if (tests.length === 0) closeQuestions(state, ({ kind }) => kind === 'regression');
}

/** Asked when the base got worse and no landed task answers for it: work goes on beside it. */
export function getRegressionQuestion(state: State): AskedQuestion | null {
  const { unexplained } = state;
  if (!unexplained || isAllLanded(state)) return null;
  for (const task of state.tasks.values()) if (task.reopened) return null;
  const { tests, tree } = unexplained;
  const count =
    tests.length === 1 ? 'A test that passed before fails' : `${tests.length} tests that passed before fail`;
  const words = {
    title: 'the base',
    what: `${count} on the base, and no landed task answers for it: ${tests.slice(0, 5).join(', ')}.`,
    why: 'a change from outside broke it; new work is held only to what passes on the base',
    steps: ['git log shows what came onto the base; mend it or take it back with git revert'],
  };
  return getUnlessKnown(state, getEscalation('regression', { task: null, cause: tree.slice(0, 10) }, words));
}

/** Asked when everything is landed and the last look at the whole says that it does not work. */
export function getRedEndQuestion(state: State): AskedQuestion | null {
  const { checked } = state;
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
  return state.questions.has(question.id) || state.waived.has(question.id) ? null : question;
}
