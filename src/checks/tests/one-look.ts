import { getTestFile } from '../../core/model/testing.ts';
import { getFeatureCommand } from '../../core/testing/test-command.ts';
import { getSuiteInputs, recallRun } from '../../testruns/run-cache.ts';
import { wroteOwnTest } from '../shared/changed-sources.ts';
import type { CheckContext } from '../shared/context.ts';
import { MIN_SUITE_MS } from './likely-failures.ts';

/**
 * Whether the suite may be begun at once, with the task's own file beside it: what either shows of the task's own tests
 * is a look at them. Not where the suite takes so long that a red test of the task should end it before it is begun, nor
 * where it does not show them.
 */
export async function canLookOnce(ctx: CheckContext): Promise<boolean> {
  const { isSideBySide, task, policy, baseline, baseTree } = ctx;
  const { testing } = policy;
  if (!isSideBySide || task.testFile === null || testing.runner === 'command' || wroteOwnTest(ctx))
    return false;
  if (getFeatureCommand(testing, task.testFile) === testing.full) return false;
  if (![...baseline.passing, ...baseline.failing].some(id => getTestFile(id) === task.testFile)) return false;
  const suite = getSuiteInputs(policy, baseTree);
  const known = suite && (await recallRun(ctx, suite));
  return known !== null && known.run.durationMs < MIN_SUITE_MS;
}
