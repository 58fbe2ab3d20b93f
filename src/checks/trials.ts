import { canScan } from '../core/imports.ts';
import { getFeatureCommand, getFilesCommand } from '../core/test-command.ts';
import { getTestFile, type TestRun } from '../core/testing.ts';
import { getExtension, getFolder, joinPath } from '../core/tree-path.ts';
import { runSuite } from './baseline.ts';
import type { CheckContext } from './context.ts';
import { readNonce } from './nonce.ts';
import { once } from './once.ts';
import { getGreen, runTestFile, runValidation } from './own-tests.ts';
import { runOnTree, type Side } from './test-runs.ts';

/** A few tests that use a file are enough to see what it is to them. */
const MAX_TESTS = 3;

/** What becomes of a command when a file is emptied: still content, no longer, or nobody can tell. */
export type Emptied = 'green' | 'red' | 'unknown';

/**
 * What opens files before any test has said a word: the runner with its settings, and what these load. Learnt by
 * running the task's test file emptied, with a decoy beside each changed program: some runners look through every
 * file there is. Null where one file cannot be run apart from the others, or nothing is seen.
 */
export function readRunnerFiles(ctx: CheckContext, side: Side): Promise<ReadonlySet<string> | null> {
  return once(ctx, `runner files of ${side}`, async () => {
    const { task, policy, attempt, signal, ports } = ctx;
    const command = task.testFile === null ? null : getFeatureCommand(policy.testing, task.testFile);
    if (task.testFile === null || command === null || command === policy.testing.full) return null;
    const nonce = await readNonce(ctx);
    const decoys = getDecoys(ctx, nonce);
    const put = [{ path: task.testFile, text: '' }, ...decoys];
    const tree = await ports.workspace.compose({ tree: getTree(ctx, side), put });
    const { runner, reportPath } = policy.testing;
    const run = await runOnTree(ctx, {
      ...{ purpose: `no test, ${side}`, slot: attempt.slot, side, tree, command, runner, reportPath, signal },
      ...{ idWithoutReport: task.testFile, timeoutMs: policy.testTimeoutMs, notesOpened: true },
    });
    if (!run.opened) return null;
    const opened = new Set(run.opened);
    // What is opened like a file that nobody ever heard of, and is not run, was only passed by.
    const isPassedBy = (path: string) =>
      opened.has(getDecoyPath(path, nonce)) && !run.outputTail.includes(nonce);
    return new Set(run.opened.filter(path => path !== task.testFile && !isPassedBy(path)));
  });
}

/** Beside every changed program one that nobody names, and that fails as soon as it is run. */
function getDecoys({ changes }: CheckContext, nonce: string) {
  const paths = new Set(
    changes.filter(({ path }) => canScan(path)).map(({ path }) => getDecoyPath(path, nonce)),
  );
  return [...paths].map(path => ({
    path,
    text: path.endsWith('.py') ? `raise RuntimeError('${nonce}')\n` : `throw new Error('${nonce}');\n`,
  }));
}

function getDecoyPath(path: string, nonce: string): string {
  return joinPath(getFolder(path), `${nonce}.${getExtension(path)}`);
}

/**
 * What tests say of a file whose functions do nothing any more. Those that go red were told by it what the code
 * does; those that stay green were told by it whether they are green.
 */
export async function tryEmptied(
  ctx: CheckContext,
  side: Side,
  path: string,
  users: readonly string[],
  /** What to put there where it has no functions. */
  otherwise: string | null = null,
): Promise<Emptied> {
  const text = (await readEmptied(ctx, side, path)) ?? otherwise;
  if (text === null) return 'unknown';
  const tree = await ctx.ports.workspace.compose({ tree: getTree(ctx, side), put: [{ path, text }] });
  const runs = await runUsers(ctx, side, tree, users);
  if (runs === null) return 'unknown';
  return runs.every(({ run, expected }) => isGreen(run, expected)) ? 'green' : 'red';
}

/** The text of a file with every function emptied; of a script that has none, nothing. */
async function readEmptied(ctx: CheckContext, side: Side, path: string): Promise<string | null> {
  const text = await ctx.ports.workspace.readFile(getTree(ctx, side), path);
  if (text === null || text === '') return null;
  const lines = text.split('\n').map((_, at) => at + 1);
  const request = { path, text, lines, limit: 1, seed: path };
  const mutants = canScan(path) ? ((await ctx.ports.sources?.mutate(request)) ?? []) : [];
  return mutants.find(({ kind }) => kind === 'body')?.text ?? null;
}

interface UserRun {
  readonly run: TestRun;
  readonly expected: readonly string[];
}

/** Tests that use a file and are green, run on another tree; null where there are none. */
async function runUsers(
  ctx: CheckContext,
  side: Side,
  tree: string,
  users: readonly string[],
): Promise<readonly UserRun[] | null> {
  const { task, policy, baseline, attempt, signal } = ctx;
  if (side === 'candidate' && task.testFile !== null && users.includes(task.testFile)) {
    const before = await runTestFile(ctx, { side, tree: ctx.candidate.tree });
    const run = await runTestFile(ctx, { side, tree, purpose: 'emptied, candidate' });
    return before && run && [{ run, expected: [...getGreen(before)] }];
  }
  const files = users.filter(file => baseline.passing.some(id => getTestFile(id) === file));
  const command = getFilesCommand(policy.testing, files.slice(0, MAX_TESTS)) ?? policy.testing.full;
  const expected = baseline.passing.filter(id => files.slice(0, MAX_TESTS).includes(getTestFile(id)));
  if (command === null || expected.length === 0) return runValidated(ctx, side, tree);
  const { runner, reportPath } = policy.testing;
  const run = await runOnTree(ctx, {
    ...{ purpose: `emptied, ${side}`, slot: attempt.slot, side, tree, command, runner, reportPath, signal },
    ...{ idWithoutReport: command, timeoutMs: policy.testTimeoutMs },
  });
  return [{ run, expected }];
}

/** Where no test can be asked, the validation is, if it is content without the trial. */
async function runValidated(ctx: CheckContext, side: Side, tree: string): Promise<readonly UserRun[] | null> {
  const before = await runValidation(ctx, { side, tree: getTree(ctx, side) });
  if (before === null || before.exitCode !== 0) return null;
  const run = await runValidation(ctx, { side, tree, purpose: `emptied, ${side}` });
  return run && [{ run, expected: [...getGreen(before)] }];
}

function isGreen(run: TestRun, expected: readonly string[]): boolean {
  const green = getGreen(run);
  return !run.timedOut && !run.reportProblem && expected.every(id => green.has(id));
}

/** Whether the validation is content on a side where a script is empty: then it is the script that decides. */
export async function tryEmptyScript(ctx: CheckContext, side: Side, path: string): Promise<Emptied> {
  const put = [{ path, text: (await readEmptied(ctx, side, path)) ?? '' }];
  const tree = await ctx.ports.workspace.compose({ tree: getTree(ctx, side), put });
  const run = await runValidation(ctx, { side, tree, purpose: `emptied, ${side}` });
  if (run === null || run.timedOut) return 'unknown';
  return run.exitCode === 0 ? 'green' : 'red';
}

/**
 * Whether what proves the task is as green on the candidate when some files are as they were on the base, or gone; with
 * the whole suite where a change of them may hide what is broken elsewhere.
 */
export async function isGreenWithout(
  ctx: CheckContext,
  paths: readonly string[],
  withSuite = false,
): Promise<boolean> {
  const take = [{ from: ctx.baseTree, paths }];
  const tree = await ctx.ports.workspace.compose({ tree: ctx.candidate.tree, take });
  const purpose = `without ${paths.join(', ')}`;
  for (const run of [runTestFile, runValidation]) {
    const before = await run(ctx, { side: 'candidate', tree: ctx.candidate.tree });
    if (before === null) continue;
    const after = await run(ctx, { side: 'candidate', tree, purpose });
    // A test that is there only with those files may be the one that fails.
    const isRed = after?.results.some(({ outcome }) => outcome === 'failed' || outcome === 'error');
    if (after === null || isRed || !isGreen(after, [...getGreen(before)])) return false;
  }
  if (!withSuite) return true;
  const where = { slot: ctx.attempt.slot, side: 'candidate', tree, signal: ctx.signal, purpose } as const;
  const suite = await runSuite(ctx, where);
  return suite === null || isGreen(suite, ctx.baseline.passing);
}

/** Whether every test says the same on the base when one file is as the candidate has it: it has no part in the results. */
export async function isSameWith(ctx: CheckContext, path: string): Promise<boolean> {
  const { attempt, baseTree, candidate, signal } = ctx;
  const take = [{ from: candidate.commit, paths: [path] }];
  const tree = await ctx.ports.workspace.compose({ tree: baseTree, take });
  const where = { slot: attempt.slot, side: 'base', signal } as const;
  const before = await runSuite(ctx, { ...where, tree: baseTree });
  const after = await runSuite(ctx, { ...where, tree, purpose: `with ${path} alone, base` });
  const getSaid = (run: TestRun | null) =>
    JSON.stringify(run?.results.map(({ id, outcome }) => `${id} ${outcome}`).sort());
  return !after?.timedOut && !after?.reportProblem && getSaid(before) === getSaid(after);
}

function getTree({ baseTree, candidate }: CheckContext, side: Side): string {
  return side === 'base' ? baseTree : candidate.tree;
}
