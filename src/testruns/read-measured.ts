import type { HarnessEvent } from '../core/events/event.ts';
import type { Policy } from '../core/model/policy.ts';
import { getSuspects } from '../core/state/regression.ts';
import type { State } from '../core/state/state.ts';
import { getNewlyRed } from '../core/state/suite.ts';
import type { TestRuns } from './test-runs.ts';

/** The verdict has run the suite on what lands: whoever looks at the project sees what passes from now on. */
export async function readMeasured(
  { state, policy }: { readonly state: State; readonly policy: Policy },
  tests: TestRuns,
  tree: string,
): Promise<HarnessEvent[]> {
  if (state.suite.baseline?.tree === tree) return [];
  const known = await tests.recallBaseline(tree);
  if (known === null) return [];
  const { passing, failing } = known.baseline;
  // What has turned red is for the next look at the base to accuse, by what was green before.
  if (getNewlyRed(state.suite, failing).length > 0) return [];
  if (getSuspects(state, known.baseline, policy.testing.full).length > 0) return [];
  return [{ type: 'baseline.measured', tree, command: known.command, passing, failing }];
}
