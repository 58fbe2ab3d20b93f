import type { FlakyTest } from '../model/facts.ts';
import { closeQuestions } from '../state/people.ts';
import { setSizes } from '../state/quality.ts';
import { addToQuarantine, type MarkedRed, setBaseline } from '../state/suite.ts';
import type { EventTable } from './kind.ts';

/** What is measured on the base, and what the tests say of all that has landed. */
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
  /** How long the files of the base are, as far as that was not known: null for those that are gone. */
  | {
      readonly type: 'sizes.measured';
      readonly tree: string;
      readonly lines: Readonly<Record<string, number | null>>;
    }
  /** The whole of what has landed was looked at once more; what was found broken is open again by then. */
  | {
      readonly type: 'project.checked';
      readonly commit: string;
      readonly tree: string;
      readonly passing: number;
      readonly failing: number;
      /** Red tests that no landed task answers for: new ones, or all once everything has landed. The run stops on them. */
      readonly broken: readonly string[];
      /** Tasks that were only marked as done, and that their own tests call undone. */
      readonly marked?: readonly MarkedRed[];
    };

export const SUITE_EVENTS: EventTable<SuiteEvent> = {
  'baseline.measured': {
    level: 'debug',
    apply(state, event, { atMs }) {
      setBaseline(state.suite, event, state.sessions, atMs);
      const { baseRegressions } = state.suite;
      const cause = baseRegressions?.tree.slice(0, 10);
      closeQuestions(state.people, ({ kind, id }) => kind === 'regression' && id !== `regression-${cause}`);
    },
  },
  'sizes.measured': {
    level: 'debug',
    apply({ quality, sessions }, { tree, lines }) {
      setSizes(quality, { tree, lines, session: sessions });
    },
  },
  'test.quarantined': {
    level: 'important',
    line: ({ id }) => `  flaky test, quarantined: ${id}`,
    progress: ({ id }) => [`WARN flaky test in quarantine: ${id}`],
    decision: ({ id, evidence }) => ({ type: 'test_quarantined', test: id, evidence }),
    apply(state, event, { atMs }) {
      const { suite } = state;
      addToQuarantine(suite.quarantine, event, atMs);
      if (!suite.baseRegressions) return;
      const { tree } = suite.baseRegressions;
      const tests = suite.baseRegressions.tests.filter(id => id !== event.id);
      suite.baseRegressions = tests.length > 0 ? { tree, tests } : null;
    },
  },
  'project.checked': {
    level: 'important',
    line: ({ commit, passing, failing, broken, marked = [] }) =>
      [
        `all that has landed, at ${commit.slice(0, 10)}: ${passing} tests pass, ${failing} fail`,
        ...broken.map(id => `  red: ${id}`),
        ...marked.map(({ task, tests }) => `  task ${task} is marked as done, and its own ${tests[0]} fails`),
      ].join('\n'),
    progress: ({ passing, failing }) => [
      `CHECKPOINT all that has landed: passing=${passing} failing=${failing}`,
    ],
    apply(state, { commit, tree, broken, marked = [] }, { atMs, touched }) {
      for (const { task } of [...(state.suite.checked?.marked ?? []), ...marked]) touched.add(task);
      state.suite.checked = { commit, tree, broken, marked, atMs };
      state.suite.unlooked = 0;
      closeQuestions(state.people, ({ kind }) => kind === 'all-done-red');
    },
  },
};
