import type { Criterion } from './acceptance.ts';
import type { EnvironmentNeed } from './environment.ts';
import { getTracedTo, type TracedTask } from './trace.ts';

/** `by-person`: nothing is missing but a person's word. */
export type CriterionStatus =
  | 'covered'
  | 'uncovered'
  | 'covered-but-test-missing'
  | 'covered-but-test-failed'
  | 'by-person';

/** What became of a test file that a criterion names, at the tip. */
export interface CitedTest {
  readonly path: string;
  readonly status: 'passed' | 'failed' | 'missing';
  readonly summary: string;
}

export interface JudgedCriterion {
  readonly tag: string;
  readonly text: string;
  readonly status: CriterionStatus;
  /** Whether a release may go ahead as far as this is concerned. */
  readonly ok: boolean;
  readonly why: string;
  readonly tasks: readonly string[];
  readonly proofs: readonly string[];
  readonly tests: readonly CitedTest[];
  readonly connections: readonly string[];
  readonly line: number;
}

/** The product as somebody gets it who has nothing but what is delivered. */
export interface TriedProduct {
  readonly status: 'started' | 'nothing-to-start' | 'failed';
  /** What was done, in the order in which it was. */
  readonly steps: readonly { readonly what: string; readonly ok: boolean; readonly detail: string }[];
}

/** What one criterion comes to. `tests` are those that it names, and what proved its tasks, run at the tip. */
export function judgeCriterion(
  criterion: Criterion,
  tasks: readonly TracedTask[],
  tests: readonly CitedTest[],
): JudgedCriterion {
  const { tag, text, connections, line } = criterion;
  const own = getTracedTo({ ...criterion, id: tag }, tasks);
  const { status, why } = getStatus(own, tests);
  const awaited = own.some(({ standing }) => standing === 'awaits-person');
  const isVouched = status === 'by-person' && criterion.isTicked && !awaited;
  return {
    ...{ tag, text, status, ok: status === 'covered' || isVouched },
    why: isVouched ? `${why}, and a person has ticked it` : why,
    tasks: own.map(({ id }) => id),
    proofs: own.flatMap(({ standing, proof }) => (standing === 'proven' && proof !== null ? [proof] : [])),
    ...{ tests, connections, line },
  };
}

function getStatus(
  tasks: readonly TracedTask[],
  tests: readonly CitedTest[],
): { readonly status: CriterionStatus; readonly why: string } {
  if (tasks.length === 0) return { status: 'uncovered', why: 'no task names it' };
  const lacking = tasks.filter(({ standing }) => standing !== 'proven');
  const why = lacking.map(({ id, standing }) => `task ${id} ${STANDINGS[standing]}`).join('; ');
  if (!lacking.every(({ standing }) => standing === 'by-word' || standing === 'awaits-person'))
    return { status: 'uncovered', why };
  const missing = tests.find(({ status }) => status === 'missing');
  if (missing) return { status: 'covered-but-test-missing', why: `${missing.path} ${missing.summary}` };
  const failed = tests.find(({ status }) => status === 'failed');
  if (failed) return { status: 'covered-but-test-failed', why: `${failed.path}: ${failed.summary}` };
  return lacking.length === 0 ? { status: 'covered', why: '' } : { status: 'by-person', why };
}

const STANDINGS: Readonly<Record<TracedTask['standing'], string>> = {
  proven: 'is proven',
  'by-word': 'counts as done by a person’s word alone',
  broken: 'has a proof that does not hold, or is not here',
  reopened: 'is open again: a later change broke it',
  'awaits-person': 'waits for a person',
  'left-out': 'was left out',
  open: 'has not landed',
};

/** Whether it can be released, and if not, whether a person is all that is missing. */
export function getReadiness({
  criteria,
  environment,
  product,
}: {
  readonly criteria: readonly JudgedCriterion[];
  readonly environment: readonly EnvironmentNeed[];
  readonly product: TriedProduct;
}): 'ready' | 'person' | 'not-ready' {
  const open = criteria.filter(({ ok }) => !ok);
  const isSound = product.status !== 'failed' && environment.every(({ status }) => status === 'set');
  if (!isSound || !open.every(({ status }) => status === 'by-person')) return 'not-ready';
  return open.length === 0 ? 'ready' : 'person';
}
