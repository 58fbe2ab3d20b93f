import type { Policy } from '../model/policy.ts';
import { type TaskDef, UNLISTED_TASK } from '../model/task.ts';
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
  const { requested } = state.cleanup;
  if (testing.full === null || (!requested && !isTime(state, limits.cleanupInterval))) return null;
  return getOpenCleanup(state) === null ? createCleanup(state) : null;
}

function isTime({ landings, cleanup }: State, interval: number): boolean {
  return interval > 0 && landings - cleanup.landings >= interval;
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
    title: 'Clean up the code without changing what it does',
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
    'Every test passes as before, and no test was touched',
  ];
}
