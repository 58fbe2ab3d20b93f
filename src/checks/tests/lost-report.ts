import type { TestRun } from '../../core/model/testing.ts';
import { getRedReason } from '../../core/testing/red-reason.ts';
import { type CheckContext, wroteOwnTest } from '../shared/context.ts';
import { runTestFile } from '../shared/own-tests.ts';

/** Whether a run left nothing that could be believed. */
export function isLost({ results, reportProblem }: TestRun): boolean {
  return reportProblem !== undefined && results.length === 0;
}

/** What a check says where nothing was heard through no fault of the change: the base has to be fixed. */
export function getUnheard(run: TestRun) {
  return {
    status: 'inconclusive',
    summary: `${run.command} gave no report, and it gives none on the base either: ${run.reportProblem}`,
    findings: [run.outputTail.slice(-1_500)].filter(tail => tail !== ''),
    measures: { environment: 1 },
  } as const;
}

/**
 * Whether a report that was lost with the change is lost on the base as well, and not because of the task's own file:
 * then the runner or what it needs is to blame. Asked where no candidate has a say.
 */
export async function isEnvironmental(ctx: CheckContext, lost: TestRun): Promise<boolean> {
  const { task, baseTree, ports } = ctx;
  if (task.testFile === null || isUninstalled(lost)) return false;
  const isThere = (await ports.workspace.blobId(baseTree, task.testFile)) !== null;
  const asked = { side: 'base', repeat: getFresh(ctx) } as const;
  const own = isThere ? await runTestFile(ctx, { ...asked, tree: baseTree, purpose: AGAIN }) : null;
  if (own && isReported(own)) return false;
  const tree = await composeHarmless(ctx, baseTree, task.testFile);
  const harmless = await runTestFile(ctx, { ...asked, tree, purpose: "own tests' file emptied, base" });
  return harmless !== null && !isReported(harmless);
}

/** Whether the suite, which gave no report with the change, gives none on the base any more. */
export async function isSuiteLostOnBase(ctx: CheckContext, lost: TestRun): Promise<boolean> {
  if (isUninstalled(lost)) return false;
  const where = { side: 'base', tree: ctx.baseTree, repeat: getFresh(ctx) } as const;
  const suite = await ctx.tests.suite({ ...where, purpose: 'suite once more, base' });
  return suite !== null && !isReported(suite);
}

const AGAIN = 'own tests once more, base';

/** A run that nobody has made before: what is remembered was told when all was well. */
function getFresh({ attempt }: CheckContext): number {
  return 1_000 + (attempt.session ?? 0);
}

/** What installs on the base and not with the change has been blamed on the change already. */
function isUninstalled({ reportProblem }: TestRun): boolean {
  return reportProblem?.startsWith('environment.install failed') ?? false;
}

/** A runner that found nothing to run has at least said so. */
function isReported(run: TestRun): boolean {
  return !isLost(run) || run.reportProblem === NO_TESTS;
}

/**
 * Why nothing was heard of the task's tests where the change is not; null when it is for want of what the change
 * brings. That is so when the output names it, or when the suite reports well there without the task's own file,
 * which a coder did not write. A lost report that nobody can explain is no red test.
 */
export async function getLostReason(ctx: CheckContext, run: TestRun, tree: string): Promise<string | null> {
  if (isReported(run)) return null;
  if (isNamed(ctx, run) || (!wroteOwnTest(ctx) && (await isOwnFileAlone(ctx, tree)))) return null;
  return `the tests gave no report without the change, and nothing says why: ${run.reportProblem}`;
}

/** Whether the output names what is missing without the change. */
function isNamed(ctx: CheckContext, { command, reportProblem, outputTail }: TestRun): boolean {
  const added = ctx.changes.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path);
  const message = `${reportProblem}\n${outputTail}`.trim();
  return getRedReason({ id: command, outcome: 'error', message }, added).kind !== 'error';
}

/** Has a reason of its own, which is judged as such. */
const NO_TESTS = 'no tests were collected';

/** Whether the report is lost again, and only because of the task's own file. */
async function isOwnFileAlone(ctx: CheckContext, tree: string): Promise<boolean> {
  const { testFile } = ctx.task;
  const again = await runTestFile(ctx, { side: 'base', tree, repeat: 1 });
  if (testFile === null || again === null || !isLost(again)) return false;
  const without = await composeHarmless(ctx, tree, testFile);
  const purpose = "suite without the task's test, base";
  const suite = await ctx.tests.suite({ side: 'base', tree: without, purpose });
  if (suite === null || suite.timedOut) return false;
  return suite.reportProblem === NO_TESTS || suite.results.some(({ outcome }) => outcome === 'passed');
}

/** The tree with nothing in a test file; Go wants to know at least whose it is. */
async function composeHarmless({ ports }: CheckContext, tree: string, path: string): Promise<string> {
  const text = path.endsWith('.go') ? await ports.workspace.readFile(tree, path) : null;
  const clause = text?.split('\n').find(line => line.startsWith('package ')) ?? '';
  return ports.workspace.compose({ tree, put: [{ path, text: clause === '' ? '' : `${clause}\n` }] });
}

/**
 * Whether an approved test comes to no end where the change is not, and soon to one where it is: red for want of the
 * change. Of a test that the agent wrote, or one that is slow anyway, a time-out says nothing.
 */
export function isHungOnBase(ctx: CheckContext, without: TestRun, withChange: TestRun | undefined): boolean {
  if (!without.timedOut || !withChange || withChange.timedOut || wroteOwnTest(ctx)) return false;
  return withChange.durationMs * HUNG_FACTOR < ctx.policy.testTimeoutMs;
}

const HUNG_FACTOR = 5;
