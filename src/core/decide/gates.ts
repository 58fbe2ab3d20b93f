import type { Work } from '../model/action.ts';
import type { Policy } from '../model/policy.ts';
import type { World } from '../model/world.ts';
import type { State } from '../state/state.ts';

/** The gate that is due between two tasks; null for nearly all turns. */
export function getDueGate(
  state: State,
  { tip }: Pick<World, 'tip'>,
  { projectGates }: Pick<Policy, 'projectGates'>,
): Work | null {
  const { fidelity, release } = projectGates;
  const { gates, landings, suite } = state;
  const since = landings - (gates.last.get('fidelity')?.landings ?? 0);
  if (fidelity.specPath !== null && fidelity.everyLandings !== null && since >= fidelity.everyLandings)
    return { type: 'gate', gate: 'fidelity' };
  if (release.specPath === null || gates.last.get('release')?.commit === tip) return null;
  if (landings === 0 || hasOpenCriterion(state)) return null;
  // What the whole suite says comes first: it may open again what looked covered.
  return suite.checked?.commit === tip ? { type: 'gate', gate: 'release' } : { type: 'check-all' };
}

/** What could be released and is not what is there any more; whatever else goes on, nobody is to find it. */
export function getOutdatedRelease({ gates }: State, { tip }: Pick<World, 'tip'>): Work | null {
  const { released: commit } = gates;
  return commit === null || commit === tip ? null : { type: 'withdraw-release', commit };
}

/** Whether something is still to be done for a criterion: then the answer is known. */
function hasOpenCriterion({ tasks }: State): boolean {
  return [...tasks.values()].some(
    ({ def, status }) => def.tags !== undefined && status !== 'landed' && status !== 'removed',
  );
}
