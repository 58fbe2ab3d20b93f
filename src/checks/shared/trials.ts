import { getExtension, getFolder, joinPath } from '../../core/base/tree-path.ts';
import { canScan } from '../../core/code/imports.ts';
import { getTestFile, type TestRun } from '../../core/model/testing.ts';
import { getFeatureCommand, getFilesCommand, splitBuild } from '../../core/testing/test-command.ts';
import type { Side } from '../../testruns/worktrees.ts';
import { type CheckContext, getTree } from './context.ts';
import { getGreen, runTestFile, runValidation } from './own-tests.ts';

/** A few tests that use a file are enough to see what it is to them. */
const MAX_TESTS = 3;

/** What becomes of a command when a file is emptied: still content, no longer, or nobody can tell. */
export type Emptied = 'green' | 'red' | 'unknown';

/**
 * Whether the runner opens a file before any test has said a word, for its settings or what these load. Learnt by
 * running the task's test file emptied, with a decoy beside each changed program: some runners look through every file
 * there is, and then only what they run is theirs.
 */
export async function isRunners(ctx: CheckContext, side: Side, path: string): Promise<boolean> {
  const nonce = await readNonce(ctx);
  const run = await runNoTest(ctx, side, getDecoys(ctx, nonce));
  if (!run?.opened?.includes(path)) return false;
  if (!run.opened.includes(getDecoyPath(path, nonce)) || speaks(run, nonce)) return true;
  return speaks(await runNoTest(ctx, side, [{ path, text: getFailing(path, nonce) }]), nonce);
}

/** The task's test file, emptied; null where one file cannot be run apart from the others. */
function runNoTest(ctx: CheckContext, side: Side, more: readonly Put[]): Promise<TestRun | null> {
  const paths = more.map(({ path }) => path);
  return ctx.tests.once(`no test, ${side} ${paths.join(' ')}`, async () => {
    const { task, policy, ports } = ctx;
    const command = task.testFile === null ? null : getFeatureCommand(policy.testing, task.testFile);
    if (task.testFile === null || command === null || command === policy.testing.full) return null;
    const put = [{ path: task.testFile, text: '' }, ...more];
    const tree = await ports.workspace.compose({ tree: getTree(ctx, side), put });
    const parts = splitBuild(command);
    return ctx.tests.run({
      ...{ purpose: `no test, ${side}`, side, tree, idWithoutReport: task.testFile, notesOpened: true },
      command: parts?.tests ?? command,
      ...(parts ? { beside: parts.build, layFiles: buildFirst(ctx, parts.build) } : {}),
    });
  });
}

/** What is built before the tests is opened by those who build it: only then does the watch begin. */
function buildFirst({ ports, policy, signal }: CheckContext, command: string) {
  return async (dir: string) => {
    await ports.shell.run({ command, cwd: dir, timeoutMs: policy.commandTimeoutMs, signal });
    return async () => undefined;
  };
}

interface Put {
  readonly path: string;
  readonly text: string;
}

/** Beside every changed program one that nobody names, and that fails as soon as it is run. */
function getDecoys({ changes }: CheckContext, nonce: string): readonly Put[] {
  const programs = changes.map(({ path }) => path).filter(canScan);
  const paths = new Set(programs.map(path => getDecoyPath(path, nonce)));
  return [...paths].map(path => ({ path, text: getFailing(path, nonce) }));
}

function getDecoyPath(path: string, nonce: string): string {
  return joinPath(getFolder(path), `${nonce}.${getExtension(path)}`);
}

function getFailing(path: string, nonce: string): string {
  return path.endsWith('.py') ? `raise RuntimeError('${nonce}')\n` : `throw new Error('${nonce}');\n`;
}

/** Whether something that fails by this word was run. */
function speaks(run: TestRun | null, nonce: string): boolean {
  return JSON.stringify([run?.outputTail, run?.reportProblem, run?.results]).includes(nonce);
}

interface EmptyTrial {
  /** Tests that use the file. */
  readonly users: readonly string[];
  /** Whose version is emptied. */
  readonly from?: Side;
  /** What to put there where it has no functions. */
  readonly otherwise?: string | null;
  /** Whether it may be there to say yes. */
  readonly maySayYes?: boolean;
}

/**
 * What tests say of a file whose functions do nothing any more, or say yes to everything. Those that go red were told
 * by it what the code does; those that stay green were told by it whether they are green.
 */
export async function tryEmptied(
  ctx: CheckContext,
  side: Side,
  path: string,
  { users, from = side, otherwise = null, maySayYes = true }: EmptyTrial,
): Promise<Emptied> {
  const found = await readEmptied(ctx, from, path);
  const texts = found.length > 0 || otherwise === null ? found : [otherwise];
  let seen: Emptied = 'unknown';
  for (const text of texts.slice(0, maySayYes ? undefined : 1)) {
    const tree = await ctx.ports.workspace.compose({ tree: getTree(ctx, side), put: [{ path, text }] });
    const runs = await runUsers(ctx, side, tree, users);
    if (runs === null) return 'unknown';
    if (runs.every(({ run, expected }) => isGreen(run, expected))) return 'green';
    seen = 'red';
  }
  return seen;
}

/** The text of a file with every function emptied, and with each saying yes; nothing of a script that has none. */
async function readEmptied(ctx: CheckContext, side: Side, path: string): Promise<readonly string[]> {
  const text = await ctx.ports.workspace.readFile(getTree(ctx, side), path);
  if (text === null || text === '') return [];
  const lines = text.split('\n').map((_, at) => at + 1);
  const request = { path, text, lines, limit: 1, seed: path };
  const mutants = canScan(path) ? ((await ctx.ports.sources?.mutate(request)) ?? []) : [];
  return mutants.filter(({ kind }) => kind === 'body' || kind === 'yes').map(mutant => mutant.text);
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
  const { task, policy, baseline } = ctx;
  if (side === 'candidate' && task.testFile !== null && users.includes(task.testFile)) {
    const before = await runTestFile(ctx, { side });
    const run = await runTestFile(ctx, { side, tree, purpose: 'emptied, candidate' });
    const own = before && run && { run, expected: [...getGreen(before)] };
    if (own === null || policy.testing.runner !== 'command' || !isGreen(own.run, own.expected))
      return own && [own];
    // Which other tests use it nobody knows where only exit codes are seen: all of them are asked.
    const suite = await ctx.tests.suite({ side, tree: ctx.candidate.tree });
    const all = suite && (await ctx.tests.suite({ side, tree, purpose: 'emptied, candidate' }));
    return all ? [own, { run: all, expected: [...getGreen(suite)] }] : [own];
  }
  const green = new Set(baseline.passing.map(getTestFile));
  // What the task's own file tests is likely to be what was changed.
  const files = [...users]
    .sort((a, b) => Number(b === task.testFile) - Number(a === task.testFile))
    .filter(file => green.has(file))
    .slice(0, MAX_TESTS);
  const [first, ...others] = files;
  if (first === undefined || policy.testing.full === null) return runValidated(ctx, side, tree);
  const ask = async (some: readonly string[]): Promise<UserRun> => {
    const command = getFilesCommand(policy.testing, some) ?? policy.testing.full ?? '';
    const run = await ctx.tests.run({ purpose: `emptied, ${side}`, side, tree, command });
    return { run, expected: baseline.passing.filter(id => some.includes(getTestFile(id))) };
  };
  // Red is red: the others are only asked where the first has noticed nothing.
  const runs = [await ask([first])];
  const isContent = runs.every(({ run, expected }) => isGreen(run, expected));
  return isContent && others.length > 0 ? [...runs, await ask(others)] : runs;
}

/** Where no test can be asked, the validation is, if it is content without the trial. */
async function runValidated(ctx: CheckContext, side: Side, tree: string): Promise<readonly UserRun[] | null> {
  const before = await runValidation(ctx, { side });
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
  const put = [{ path, text: (await readEmptied(ctx, side, path))[0] ?? '' }];
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
  return isGreenOn(ctx, tree, `without ${paths.join(', ')}`, withSuite);
}

/** The same on a tree that is another in whatever way. */
export async function isGreenOn(
  ctx: CheckContext,
  tree: string,
  purpose: string,
  withSuite: boolean,
): Promise<boolean> {
  for (const run of [runTestFile, runValidation]) {
    const before = await run(ctx, { side: 'candidate' });
    if (before === null) continue;
    const after = await run(ctx, { side: 'candidate', tree, purpose });
    // A test that is there only with those files may be the one that fails.
    const isRed = after?.results.some(({ outcome }) => outcome === 'failed' || outcome === 'error');
    if (after === null || isRed || !isGreen(after, [...getGreen(before)])) return false;
  }
  if (!withSuite) return true;
  const where = { side: 'candidate', tree, purpose } as const;
  const suite = await ctx.tests.suite(where);
  return suite === null || isGreen(suite, ctx.baseline.passing);
}

/** A word that is nowhere in the project, the same for the same bytes, so that the run is remembered. */
export async function readNonce({ ports, candidate }: CheckContext): Promise<string> {
  const { store, random } = ports;
  const key = `canary-nonce:${candidate.tree}`;
  const token = () => random.token().replace(/[^a-z0-9]/gi, '');
  const nonce = (await store.cacheGet(key)) ?? `c${token().slice(0, 10)}`;
  await store.cachePut(key, nonce);
  return nonce;
}
