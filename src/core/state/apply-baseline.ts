import type { Baseline } from '../model/testing.ts';
import { closeQuestions } from './apply-question.ts';
import { isQuarantined } from './flaky.ts';
import type { State } from './state.ts';
/** Remembers what has turned red on the base since the look before; called with that look still in the state. */
export function noteUnexplained(state: State, { tree, failing }: Baseline): void {
  const before = new Set([...(state.baseline?.passing ?? []), ...(state.unexplained?.tests ?? [])]);
  const tests = failing.filter(id => before.has(id) && !isQuarantined(state.quarantine, id));
  state.unexplained = tests.length > 0 ? { tree, tests } : null;
  if (tests.length === 0) closeQuestions(state, ({ kind }) => kind === 'regression');
}
