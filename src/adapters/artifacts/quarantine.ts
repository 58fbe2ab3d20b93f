import type { State } from '../../core/state.ts';
import { getIsoSeconds, getJsonFile } from './format.ts';

/** `quarantine.json`: tests that said yes and no to the same bytes, with the evidence; null if there never was one. */
export function getQuarantine({ quarantine }: State): string | null {
  if (quarantine.size === 0) return null;
  const tests = [...quarantine.values()].map(test => ({
    id: test.id,
    quarantined: test.releasedAtMs === null,
    since: getIsoSeconds(test.sinceMs),
    released: test.releasedAtMs === null ? null : getIsoSeconds(test.releasedAtMs),
    stable_runs: test.stableRuns,
    evidence: test.evidence.map(({ tree, command, outcome, atMs }) => ({
      tree,
      command,
      outcome,
      at: getIsoSeconds(atMs),
    })),
  }));
  return getJsonFile({ tests });
}
