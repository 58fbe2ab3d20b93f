import type { ProvenOutcome, Statement, TestsByOutcome } from './proof-schema.ts';
import type { RunRecord } from './testing.ts';

/** What the task's own tests and the suite said before and after, from all runs the verdict stands on. */
export function getProvenTests(
  runs: readonly RunRecord[],
  unreliable: ReadonlySet<string>,
): Statement['tests'] {
  const get = (...purposes: string[]) => getOutcomes(runs, purposes, unreliable);
  const ownBefore = get('own tests, base', 'validation, base');
  const ownAfter = get('own tests, candidate', 'validation, candidate');
  const before = get('suite, base');
  const after = get('suite, candidate');
  return {
    own: { before: getByOutcome(ownBefore), after: getByOutcome(ownAfter) },
    suite: { before: getByOutcome(before), changes: getChanges(before, after) },
  };
}

type Outcomes = ReadonlyMap<string, ProvenOutcome>;

/** Where runs of the same purpose disagree about a test, neither is believed. */
function getOutcomes(
  runs: readonly RunRecord[],
  purposes: readonly string[],
  unreliable: ReadonlySet<string>,
): Outcomes {
  const outcomes = new Map<string, ProvenOutcome>();
  for (const { run } of runs.filter(record => purposes.includes(record.purpose)))
    for (const { id, outcome } of run.results) {
      const known = outcomes.get(id);
      const isSteady = !unreliable.has(id) && (known === undefined || known === outcome);
      outcomes.set(id, isSteady ? outcome : 'flaky');
    }
  return outcomes;
}

function getByOutcome(outcomes: Outcomes): TestsByOutcome {
  const groups: TestsByOutcome = {};
  for (const [id, outcome] of outcomes) {
    const ids = groups[outcome] ?? [];
    ids.push(id);
    groups[outcome] = ids;
  }
  for (const ids of Object.values(groups)) ids.sort(compareText);
  return groups;
}

/** Nothing when the suite was not run with the change: then it did not come to that. */
function getChanges(before: Outcomes, after: Outcomes): Statement['tests']['suite']['changes'] {
  if (after.size === 0) return [];
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort(compareText);
  return ids.flatMap(id => {
    const [was, is] = [before.get(id) ?? null, after.get(id) ?? null];
    return was === is ? [] : [{ id, before: was, after: is }];
  });
}

/** By code units, as canonical JSON sorts keys: the same on every machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
