import type { Policy } from '../model/policy.ts';
import { type TaskDef, UNLISTED_TASK } from '../model/task.ts';
import type { State } from '../state/state.ts';
import { getLargestFiles } from '../views/health.ts';

/** What every clean-up is for. */
export const CLEANUP_TITLE = 'Clean up the code without changing what it does';

const MAX_FILES = 3;

/**
 * The clean-up that is due, as a task of its own; null while none is. Nothing is tidied that no suite holds
 * in place, and not twice without a landing in between unless a person asks for it.
 */
export function getDueCleanup(
  state: State,
  { limits, testing }: Pick<Policy, 'limits' | 'testing'>,
): TaskDef | null {
  return isCleanupDue(getCleanupOutlook(state), getCleanupInterval({ limits, testing }))
    ? createCleanup(state)
    : null;
}

/** As much of the state as tells when tidying is due; the index keeps it. */
export interface CleanupOutlook {
  /** What the next one is called. */
  readonly id: string;
  /** Tasks that have landed since the last one was begun. */
  readonly since: number;
  /** A person wants one. */
  readonly requested: boolean;
  /** The last one is not over yet. */
  readonly isOpen: boolean;
}

/** When the next one will be due, as far as the record tells. */
export function getCleanupOutlook(state: State): CleanupOutlook {
  const { added, landings, requested } = state.cleanup;
  const since = state.landings - landings;
  return { id: getId(added + 1), since, requested, isOpen: getOpenCleanup(state) !== null };
}

/** After how many landed tasks; 0 only when a person asks, null never. */
export function getCleanupInterval({ limits, testing }: Pick<Policy, 'limits' | 'testing'>): number | null {
  return testing.full === null ? null : limits.cleanupInterval;
}

/** Whether the next thing to be begun is a clean-up that is not there yet. */
export function isCleanupDue({ since, requested, isOpen }: CleanupOutlook, interval: number | null): boolean {
  if (isOpen || interval === null) return false;
  return requested || (interval > 0 && since >= interval);
}

/** The clean-up that has begun, or could; null where there is none. */
export function getOpenCleanup({ tasks, cleanup }: State): string | null {
  const id = getId(cleanup.added);
  const status = tasks.get(id)?.status;
  return status === 'pending' || status === 'retry' || status === 'active' ? id : null;
}

function createCleanup(state: State): TaskDef {
  return {
    ...UNLISTED_TASK,
    id: getId(state.cleanup.added + 1),
    title: CLEANUP_TITLE,
    category: 'cleanup',
    verificationSteps: getSteps(state),
    kind: 'cleanup',
  };
}

function getId(number: number): string {
  return `cleanup-${number}`;
}

/** What the record knows to be untidy, most telling first. */
function getSteps(state: State): string[] {
  const long = getLargestFiles(state, MAX_FILES)
    .filter(({ isOversized, growsFast }) => isOversized || growsFast)
    .map(({ path, lines }) => `${path} has ${lines} lines: split it by what belongs together`);
  const lint = state.quality.lint;
  const count = lint ? lint.errors + lint.warnings : 0;
  return [
    ...long,
    ...(count > 0 ? [`The linter counts ${lint?.errors} errors and ${lint?.warnings} warnings: fewer`] : []),
    'No code is left that nothing uses',
    'Public functions have a docstring, or a comment that says what they are for',
    'Every test passes as before, and no test was touched',
  ];
}
