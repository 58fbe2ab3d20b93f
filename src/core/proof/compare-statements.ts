import type { Statement, TestsByOutcome } from './proof-schema.ts';

/** What a statement that was made again says about the recorded one. */
export interface Comparison {
  readonly result: 'same' | 'same-but-flaky' | 'different';
  /** One line each; the first ones tell most. */
  readonly differences: readonly string[];
}

/** Compares what was recorded with what came out now. Tests that are flaky in either prove nothing about both. */
export function compareStatements(recorded: Statement, remade: Statement): Comparison {
  const all = getDifferences(recorded, remade, new Set());
  if (all.length === 0) return { result: 'same', differences: [] };
  const flaky = new Set([...getFlaky(recorded), ...getFlaky(remade)]);
  const differences = getDifferences(recorded, remade, flaky);
  if (differences.length === 0 && flaky.size > 0) return { result: 'same-but-flaky', differences: all };
  return { result: 'different', differences };
}

function getDifferences(recorded: Statement, remade: Statement, without: ReadonlySet<string>): string[] {
  const [was, is] = [getFacts(recorded, without), getFacts(remade, without)];
  const keys = [...new Set([...was.keys(), ...is.keys()])];
  return keys.flatMap(key => {
    const [before, now] = [was.get(key), is.get(key)];
    if (before === now) return [];
    return [`${key}: ${before ?? 'nothing'} was recorded, now it is ${now ?? 'nothing'}`];
  });
}

/** A statement as a flat list of facts, each under a name that people can read. */
function getFacts(statement: Statement, without: ReadonlySet<string>): Map<string, string> {
  const facts = new Map<string, string>();
  const { tests, checks, ...rest } = statement;
  addFacts(facts, '', rest);
  for (const { check, status } of checks) facts.set(`check ${check}`, status);
  const groups: readonly (readonly [string, TestsByOutcome])[] = [
    ['own test before', tests.own.before],
    ['own test after', tests.own.after],
    ['test before', tests.suite.before],
    ...(tests.e2e
      ? ([
          ['e2e before', tests.e2e.before],
          ['e2e after', tests.e2e.after],
        ] as const)
      : []),
  ];
  for (const [name, group] of groups)
    for (const [outcome, ids] of Object.entries(group))
      for (const id of ids) if (!without.has(id)) facts.set(`${name}, ${id}`, outcome);
  for (const { id, before, after } of tests.suite.changes)
    if (!without.has(id)) facts.set(`test changed, ${id}`, `${before ?? 'nothing'} to ${after ?? 'nothing'}`);
  return facts;
}

function addFacts(facts: Map<string, string>, path: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) {
    facts.set(path, value === null ? 'none' : String(value));
    return;
  }
  for (const [key, child] of Object.entries(value))
    addFacts(facts, path === '' ? key : `${path}.${key}`, child);
}

function getFlaky({ tests }: Statement): string[] {
  return [
    ...(tests.own.before.flaky ?? []),
    ...(tests.own.after.flaky ?? []),
    ...(tests.suite.before.flaky ?? []),
    ...(tests.e2e?.before.flaky ?? []),
    ...(tests.e2e?.after.flaky ?? []),
    ...tests.suite.changes
      .filter(({ before, after }) => before === 'flaky' || after === 'flaky')
      .map(({ id }) => id),
  ];
}
