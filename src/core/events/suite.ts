import type { FlakyTest } from '../model/facts.ts';
import type { Baseline } from '../model/testing.ts';
import { addToQuarantine, isQuarantined, observeBaseline } from '../state/flaky.ts';
import { closeQuestions } from '../state/questions.ts';
import type { State } from '../state/state.ts';
import type { EventTable } from './kind.ts';

/** What the tests say of the base and of all that has landed. */
export type SuiteEvent =
  | {
      readonly type: 'baseline.measured';
      readonly tree: string;
      readonly command: string;
      readonly passing: readonly string[];
      readonly failing: readonly string[];
    }
  /** It gave both outcomes on the same bytes: from now on it neither blocks nor proves. */
  | (FlakyTest & { readonly type: 'test.quarantined' })
  /** The whole of what has landed was looked at once more; what was found broken is open again by then. */
  | {
      readonly type: 'project.checked';
      readonly commit: string;
      readonly tree: string;
      readonly passing: number;
      readonly failing: number;
      /** Tests that passed at the last look and that no landed task answers for; the run stops on them. */
      readonly broken: readonly string[];
    };

export const SUITE_EVENTS: EventTable<SuiteEvent> = {
  'baseline.measured': {
    level: 'debug',
    apply(state, event, { atMs }) {
      noteUnexplained(state, event);
      const { tree, passing, failing } = event;
      state.baseline = { tree, passing, failing, session: state.sessions, atMs };
      observeBaseline(state.quarantine, event, atMs);
    },
  },
  'test.quarantined': {
    level: 'important',
    line: ({ id }) => `  flaky test, quarantined: ${id}`,
    progress: ({ id }) => [`WARN flaky test in quarantine: ${id}`],
    decision: ({ id, evidence }) => ({ type: 'test_quarantined', test: id, evidence }),
    apply(state, event, { atMs }) {
      addToQuarantine(state.quarantine, event, atMs);
    },
  },
  'project.checked': {
    level: 'important',
    line: ({ commit, passing, failing, broken }) =>
      `all that has landed, at ${commit.slice(0, 10)}: ${passing} tests pass, ${failing} fail${broken.map(id => `\n  red since the last look: ${id}`).join('')}`,
    progress: ({ passing, failing }) => [`STATS all that has landed: ${passing} tests pass, ${failing} fail`],
    apply(state, { commit, tree, broken }, { atMs }) {
      state.checked = { commit, tree, broken, atMs };
      state.unlooked = 0;
      closeQuestions(state, ({ kind }) => kind === 'all-done-red');
    },
  },
};

/** Remembers what has turned red on the base since the look before; called with that look still in the state. */
function noteUnexplained(state: State, { tree, failing }: Baseline): void {
  const before = new Set([...(state.baseline?.passing ?? []), ...(state.unexplained?.tests ?? [])]);
  const tests = failing.filter(id => before.has(id) && !isQuarantined(state.quarantine, id));
  state.unexplained = tests.length > 0 ? { tree, tests } : null;
  if (tests.length === 0) closeQuestions(state, ({ kind }) => kind === 'regression');
}
