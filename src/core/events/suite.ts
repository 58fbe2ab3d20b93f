import type { FlakyTest } from '../model/facts.ts';
import { closeQuestions } from '../state/people.ts';
import { addToQuarantine, setBaseline } from '../state/suite.ts';
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
      setBaseline(state.suite, event, state.sessions, atMs);
      if (!state.suite.baseRegressions) closeQuestions(state.people, ({ kind }) => kind === 'regression');
    },
  },
  'test.quarantined': {
    level: 'important',
    line: ({ id }) => `  flaky test, quarantined: ${id}`,
    progress: ({ id }) => [`WARN flaky test in quarantine: ${id}`],
    decision: ({ id, evidence }) => ({ type: 'test_quarantined', test: id, evidence }),
    apply(state, event, { atMs }) {
      addToQuarantine(state.suite.quarantine, event, atMs);
    },
  },
  'project.checked': {
    level: 'important',
    line: ({ commit, passing, failing, broken }) =>
      `all that has landed, at ${commit.slice(0, 10)}: ${passing} tests pass, ${failing} fail${broken.map(id => `\n  red since the last look: ${id}`).join('')}`,
    progress: ({ passing, failing }) => [`STATS all that has landed: ${passing} tests pass, ${failing} fail`],
    apply(state, { commit, tree, broken }, { atMs }) {
      state.suite.checked = { commit, tree, broken, atMs };
      state.suite.unlooked = 0;
      closeQuestions(state.people, ({ kind }) => kind === 'all-done-red');
    },
  },
};
