import type { TaskDef } from '../model/task.ts';

/**
 * The command whose yes on the base, before any work, says that a task is satisfied already; null where
 * nothing says so. A test file does not: some honest work (a refactoring, a clean-up) is green from the start,
 * and a test that is not there yet is still to be written. Where a person decides, a person is asked anyway.
 */
export function getSatisfying(def: TaskDef): NonNullable<TaskDef['validation']> | null {
  if (def.kind === 'cleanup' || def.verificationType !== 'automated' || def.testFile !== null) return null;
  return def.validation;
}
