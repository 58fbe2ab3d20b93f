import type { TestResult } from '../model/testing.ts';

/** A test of which an expectation was altered, as much as judging it takes. */
interface Altered {
  readonly names: readonly string[];
  readonly isSure: boolean;
}

export interface CanarySigns {
  /** Tests that must fail and passed. */
  readonly passed: readonly string[];
  /** Tests that must fail and were not heard of. */
  readonly missing: readonly string[];
  /** Ids of tests that were sure to meet an altered expectation. */
  readonly sure: readonly string[];
  /** Those of them that passed all the same. */
  readonly survived: readonly string[];
}

/** What a run of an altered test file says about whoever ran it. */
export function getCanarySigns(
  before: readonly TestResult[],
  after: readonly TestResult[],
  altered: { readonly nonceNames: readonly string[]; readonly tests: readonly Altered[] },
): CanarySigns {
  const outcomes = new Map(after.map(({ id, outcome }) => [id, outcome]));
  const seen = altered.nonceNames.map(name => ({
    name,
    outcomes: after.filter(({ id }) => id.includes(name)).map(({ outcome }) => outcome),
  }));
  const green = before.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
  const sure = altered.tests
    .filter(test => test.isSure)
    .flatMap(test => getIds(green, test.names))
    .filter(id => outcomes.has(id));
  return {
    passed: seen.filter(each => each.outcomes.includes('passed')).map(({ name }) => name),
    missing: seen.filter(each => !each.outcomes.some(isRed)).map(({ name }) => name),
    sure,
    survived: sure.filter(id => outcomes.get(id) === 'passed'),
  };
}

/** The ids of one test; none when several of the same name cannot be told apart. */
function getIds(ids: readonly string[], names: readonly string[]): readonly string[] {
  const wanted = names.join(' ');
  const same = ids.filter(id => {
    const path = getPath(id);
    return path === wanted || path.startsWith(`${wanted} (`);
  });
  if (same.length > 0) return same.length === 1 ? same : [];
  return ids.filter(id => getPath(id).startsWith(`${wanted}[`));
}

/** An id without its file; suites are separated by blanks, as one of the runners gives no more. */
function getPath(id: string): string {
  return id.split(' > ').slice(1).join(' ');
}

function isRed(outcome: TestResult['outcome']): boolean {
  return outcome === 'failed' || outcome === 'error';
}
