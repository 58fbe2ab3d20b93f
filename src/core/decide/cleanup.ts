import type { Policy } from '../model/policy.ts';
import { type TaskDef, UNLISTED_TASK } from '../model/task.ts';
import { CLEANUP_TITLE, getCleanupId, getCleanupOutlook, isCleanupDue } from '../state/cleanup.ts';
import type { State } from '../state/state.ts';
import { getLargestFiles } from '../views/health.ts';

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

/** After how many landed tasks; 0 only when a person asks, null never. */
export function getCleanupInterval({ limits, testing }: Pick<Policy, 'limits' | 'testing'>): number | null {
  return testing.full === null ? null : limits.cleanupInterval;
}

function createCleanup(state: State): TaskDef {
  return {
    ...UNLISTED_TASK,
    id: getCleanupId(state.cleanup.added + 1),
    title: CLEANUP_TITLE,
    category: 'cleanup',
    verificationSteps: getSteps(state),
    kind: 'cleanup',
  };
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
