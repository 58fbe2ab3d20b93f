import { getRedReason } from '../core/red-reason.ts';
import type { TestRun } from '../core/testing.ts';
import { runSuite } from './baseline.ts';
import { wroteOwnTest } from './changed-sources.ts';
import type { CheckContext } from './context.ts';
import { runTestFile } from './own-tests.ts';

/** Whether a run left nothing that could be believed. */
export function isLost({ results, reportProblem }: TestRun): boolean {
  return reportProblem !== undefined && results.length === 0;
}

/**
 * Why nothing was heard of the task's tests where the change is not; null when it is for want of what the change
 * brings. That is so when the output names it, or when the suite reports well there without the task's own file,
 * which a coder did not write. A lost report that nobody can explain is no red test.
 */
export async function getLostReason(ctx: CheckContext, run: TestRun, tree: string): Promise<string | null> {
  if (!isLost(run) || run.reportProblem === NO_TESTS) return null;
  const added = ctx.changes.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path);
  const message = `${run.reportProblem}\n${run.outputTail}`.trim();
  const { kind } = getRedReason({ id: run.command, outcome: 'error', message }, added);
  if (kind !== 'error') return null;
  if (!wroteOwnTest(ctx) && (await isOwnFileAlone(ctx, tree))) return null;
  return `the tests gave no report without the change, and nothing says why: ${run.reportProblem}`;
}

/** Has a reason of its own, which is judged as such. */
const NO_TESTS = 'no tests were collected';

/** Whether the report is lost again, and only because of the task's own file. */
async function isOwnFileAlone(ctx: CheckContext, tree: string): Promise<boolean> {
  const { testFile } = ctx.task;
  const again = await runTestFile(ctx, { side: 'base', tree, repeat: 1 });
  if (testFile === null || again === null || !isLost(again)) return false;
  const put = [{ path: testFile, text: '' }];
  const without = await ctx.ports.workspace.compose({ tree, put });
  const { slot } = ctx.attempt;
  const purpose = "suite without the task's test, base";
  const suite = await runSuite(ctx, { slot, side: 'base', tree: without, signal: ctx.signal, purpose });
  return suite !== null && !suite.timedOut && !isLost(suite);
}

/**
 * Whether an approved test comes to no end where the change is not, and soon to one where it is: red for want of the
 * change. Of a test that the agent wrote, or one that is slow anyway, a time-out says nothing.
 */
export function isHungOnBase(ctx: CheckContext, without: TestRun, withChange: TestRun | undefined): boolean {
  if (!without.timedOut || !withChange || withChange.timedOut || wroteOwnTest(ctx)) return false;
  return withChange.durationMs * HUNG_FACTOR < ctx.policy.testTimeoutMs;
}

const HUNG_FACTOR = 10;
