import { getTestFile, isLeftOut, type RunnerKind, type TestRun } from '../../core/model/testing.ts';
import { getFeatureCommand } from '../../core/testing/test-command.ts';
import type { Side } from '../../testruns/worktrees.ts';
import { type CheckContext, getTree, wroteOwnTest } from './context.ts';

interface Where {
  readonly side: Side;
  /** The side's own when not given. */
  readonly tree?: string;
  readonly purpose?: string;
  /** The project's limit when not given. */
  readonly timeoutMs?: number;
  /** Which run of it this is, where it is run more than once to see if it says the same. */
  readonly repeat?: number;
  /** What the shell does before the command. */
  readonly prelude?: string;
  /** Files whose readers are wanted. */
  readonly observe?: readonly string[];
}

/** The task's test file on one tree, run once however many checks ask; null when nothing can run it. */
export async function runTestFile(ctx: CheckContext, where: Where): Promise<TestRun | null> {
  const { task, policy } = ctx;
  if (task.testFile === null) return null;
  const { side, tree = getTree(ctx, where.side) } = where;
  const { repeat = 0, prelude, observe, purpose = `own tests, ${side}` } = where;
  const text = await ctx.ports.workspace.readFile(tree, task.testFile);
  const alone = getFeatureCommand(policy.testing, task.testFile, text);
  const command = alone !== null && (await isSilentAlone(ctx, alone)) ? policy.testing.full : alone;
  if (command === null) return null;
  // Also of runs that left no report to be remembered.
  return ctx.tests.once(`own tests ${JSON.stringify([side, tree, repeat, prelude, observe])}`, async () =>
    ctx.tests.run({
      ...{ purpose, side, tree, repeat, observe },
      ...(where.timeoutMs === undefined ? {} : { timeoutMs: where.timeoutMs }),
      command: prelude ? `${prelude}; ${command}` : command,
      idWithoutReport: task.testFile ?? command,
      notesOpened: isPlain(ctx, tree),
      keepsCompiled: tree === ctx.candidate.tree && repeat === 0,
      isBeside: await isAskedBeside(ctx, { side, tree, repeat }, command),
    }),
  );
}

/**
 * The first look is taken in the suite's place, before the suite: whoever behaves in a fresh place alone is seen there.
 * The second look and all that must fail share another, so that where it is run does not tell what is asked. Where the
 * suite is the second look, the first is taken there at the same time. A command that is the suite itself stays where
 * the suite is.
 */
async function isAskedBeside(
  ctx: CheckContext,
  { side, tree, repeat }: { readonly side: Side; readonly tree: string; readonly repeat: number },
  command: string,
): Promise<boolean> {
  if (!ctx.tests.isSideBySide || side !== 'candidate' || command === ctx.policy.testing.full) return false;
  return repeat > 0 || tree !== ctx.candidate.tree || looksOnce(ctx);
}

/** A suite that is over sooner than this is simply run. */
export const MIN_SUITE_MS = 20_000;

/**
 * Whether the suite may be begun at once, with the task's own file beside it: what either shows of the task's own tests
 * is a look at them. Not where the suite takes so long that a red test of the task should end it before it is begun, nor
 * where it does not show them.
 */
export function looksOnce(ctx: CheckContext): Promise<boolean> {
  return ctx.tests.once('whether one look is enough', async () => {
    const { task, policy, baseline, baseTree, tests } = ctx;
    const { testing } = policy;
    if (!tests.isSideBySide || task.testFile === null || testing.runner === 'command') return false;
    if (wroteOwnTest(ctx) || getFeatureCommand(testing, task.testFile) === testing.full) return false;
    const isShown = [...baseline.passing, ...baseline.failing].some(id => getTestFile(id) === task.testFile);
    const known = isShown ? await tests.recallSuite(baseTree) : null;
    return known !== null && known.run.durationMs < MIN_SUITE_MS;
  });
}

/**
 * Whether an approved file says nothing by itself: alone it is content on the base, and the suite is not, until the
 * change is there. So it is with files of tests that others call. Asked where only exit codes are seen.
 */
function isSilentAlone(ctx: CheckContext, command: string): Promise<boolean> {
  const { policy, baseTree, candidate, task, ports } = ctx;
  const { full, runner } = policy.testing;
  const { testFile } = task;
  if (runner !== 'command' || full === null || command === full || testFile === null)
    return Promise.resolve(false);
  const run = (side: Side, tree: string, line: string, idWithoutReport: string) =>
    ctx.tests.run({
      ...{
        side,
        tree,
        command: line,
        idWithoutReport,
        purpose: `${line === full ? 'suite' : 'own tests'}, ${side}`,
      },
      notesOpened: true,
    });
  return ctx.tests.once('whether the task’s file is silent by itself', async () => {
    const ids = [baseTree, candidate.tree].map(tree => ports.workspace.blobId(tree, testFile));
    const [before, after] = await Promise.all(ids);
    if (before === null || before !== after) return false;
    if ((await run('base', baseTree, command, testFile)).exitCode !== 0) return false;
    if ((await run('base', baseTree, full, full)).exitCode === 0) return false;
    return (await run('candidate', candidate.tree, full, full)).exitCode === 0;
  });
}

/** A tree that somebody else made; of those that were put together for a trial nobody wants to know. */
function isPlain({ candidate, baseTree }: CheckContext, tree: string): boolean {
  return tree === candidate.tree || tree === baseTree;
}

/** The task's validation command on one tree; null when it has none. Only its exit code counts, where no runner is named. */
export async function runValidation(
  ctx: CheckContext,
  where: Where & { readonly runner?: RunnerKind; readonly command?: string },
): Promise<TestRun | null> {
  const { side, tree = getTree(ctx, side), repeat, observe, runner = 'command' } = where;
  const { task } = ctx;
  if (task.validation === null) return null;
  const { timeoutSeconds } = task.validation;
  const { command = task.validation.command } = where;
  return ctx.tests.run({
    purpose: where.purpose ?? `validation, ${side}`,
    ...{ side, tree, command, repeat, observe, runner },
    idWithoutReport: `validation: ${task.validation.command}`,
    timeoutMs: timeoutSeconds * 1_000,
    notesOpened: isPlain(ctx, tree),
  });
}

/** The ids of the tests that a run saw passing. */
export function getGreen(run: TestRun): ReadonlySet<string> {
  return new Set(run.results.filter(result => result.outcome === 'passed').map(result => result.id));
}

/** Tests that the same file has without the change and that nobody saw passing with it; what both leave out is neither. */
export function getGone(withChange: TestRun, without: TestRun): readonly string[] {
  const green = getGreen(withChange);
  const leftOut = new Set(withChange.results.filter(isLeftOut).map(({ id }) => id));
  return without.results
    .filter(result => result.outcome !== 'error' && !(isLeftOut(result) && leftOut.has(result.id)))
    .filter(({ id }) => !green.has(id))
    .map(({ id }) => `${id} is there on the base and gave no result with the change`);
}
