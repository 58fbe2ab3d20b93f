import { getStubLine } from '../core/code/stub-mark.ts';
import type { PlannedTask } from '../core/decide/plan.ts';
import type { RunnerKind } from '../core/model/testing.ts';
import { RUNNERS } from '../core/testing/runners.ts';

/**
 * A test that fails until somebody writes the real one; null for runners that tell files apart by an
 * exit code alone, or compile them together: there one red stub would hide whatever else breaks.
 */
export function getStub(task: PlannedTask, runner: RunnerKind, isModule: boolean): string | null {
  const { id, title, test_file: file } = task;
  return RUNNERS[runner].getStub?.({ file, note: getStubLine(id), task: id, title, isModule }) ?? null;
}
