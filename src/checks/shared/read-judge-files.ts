import { getHandedOut } from '../../core/code/entries.ts';
import { canScan, getImportGraph } from '../../core/code/imports.ts';
import { createJudgeFiles, type JudgeFiles } from '../../core/code/judge-files.ts';
import { getTestFile, isExample, type TestRun } from '../../core/model/testing.ts';
import { getCommandWords } from '../../core/shell/command-line.ts';
import { getRunnerOf } from '../../core/testing/runners.ts';
import { getRunnerLine, type WrapperFiles } from '../../core/testing/wrapped-command.ts';
import type { Side } from '../../testruns/worktrees.ts';
import type { CheckContext } from './context.ts';
import { readImportsOf } from './impact.ts';
import { runTestFile, runValidation } from './own-tests.ts';
import { tryEmptied } from './trials.ts';

/** Beyond this a scan costs more than it is worth: only what was collected is known then. */
const MAX_FILES = 5_000;

/** One side of a verdict: its files, which of them are the tests', and what its commands opened. */
export interface SideFiles {
  readonly files: ReadonlySet<string>;
  readonly judge: JudgeFiles;
  /** Changed files that are collected as tests and yet are what others test. */
  readonly subjects: ReadonlySet<string>;
}

/**
 * What belongs to the tests on one side, by what was collected there and who uses whom; `scripts` are other programs
 * that judge.
 */
export function readSideFiles(
  ctx: CheckContext,
  side: Side,
  scripts: readonly string[] = [],
): Promise<SideFiles> {
  return ctx.tests.once(`files of ${side} ${scripts.join(' ')}`, async () => {
    const tree = side === 'base' ? ctx.baseTree : ctx.candidate.tree;
    const blobs = await ctx.ports.workspace.readBlobs(tree);
    const files = new Set(Object.keys(blobs));
    const code = [...files].filter(canScan);
    const scanned = code.length > MAX_FILES ? [] : code;
    const graph = getImportGraph(await readImportsOf(ctx, tree, scanned, blobs), files);
    const manifests = [...files].filter(path => path === 'package.json' || path.endsWith('/package.json'));
    const entries = await Promise.all(
      manifests.map(async path =>
        getHandedOut(
          (await ctx.ports.workspace.readFile(tree, path)) ?? '',
          path.slice(0, -'/package.json'.length),
          files,
        ),
      ),
    );
    const collected = [...(await readCollected(ctx, side)), ...scripts];
    const grounds = { graph, entries: new Set(entries.flat()) };
    const found = new Set(collected.filter(path => files.has(path)));
    const subjects = await findSubjects(ctx, createJudgeFiles({ ...grounds, tests: found }));
    const tests = new Set([...found].filter(path => !subjects.has(path)));
    return { files, judge: createJudgeFiles({ ...grounds, tests }), subjects };
  });
}

/**
 * Changed programs that hold tests of themselves, such as examples in their comments: the runner collects them like
 * tests, and other tests go red when they do nothing.
 */
function findSubjects(ctx: CheckContext, judge: JudgeFiles): Promise<ReadonlySet<string>> {
  return ctx.tests.once('subjects among the tests', async () => {
    const subjects = new Set<string>();
    for (const { path, kind } of ctx.changes) {
      if (kind === 'added' || path === ctx.task.testFile || !judge.tests.has(path) || !canScan(path))
        continue;
      const users = judge.getTestsOf(path).filter(user => user !== path);
      if (users.length > 0 && (await tryEmptied(ctx, 'base', path, { users, otherwise: '' })) === 'red')
        subjects.add(path);
    }
    return subjects;
  });
}

/** The files in which the runner found tests, on the base and on the candidate, and those that are known by name. */
async function readCollected(ctx: CheckContext, side: Side): Promise<ReadonlySet<string>> {
  const ids = [...ctx.baseline.passing, ...ctx.baseline.failing];
  const runs = side === 'base' ? [] : await readRuns(ctx, side);
  const all = [...ids, ...runs.flatMap(run => run.results.map(({ id }) => id))];
  const found = all.filter(id => !isExample(id)).map(getTestFile);
  const own = ctx.task.testFile === null ? [] : [ctx.task.testFile];
  const { runner, full } = ctx.policy.testing;
  const started = runner === 'command' ? getCommandWords(full ?? '') : [];
  const validated = side === 'base' || full !== null ? [] : await readValidated(ctx);
  return new Set([...found, ...started, ...own, ...validated, ...(await readListed(ctx))]);
}

/** The files in which the runner that the validation calls finds tests: without a suite nobody else says so. */
async function readValidated(ctx: CheckContext): Promise<readonly string[]> {
  const { validation } = ctx.task;
  const command = validation && getRunnerLine(validation.command, await readWrappers(ctx));
  if (!command) return [];
  const runner = getRunnerOf(command, null);
  const run = await runValidation(ctx, { side: 'candidate', runner, command });
  return (run?.results ?? []).filter(({ id }) => !isExample(id)).map(({ id }) => getTestFile(id));
}

async function readWrappers({ ports, candidate }: CheckContext): Promise<WrapperFiles> {
  const read = (path: string) => ports.workspace.readFile(candidate.tree, path);
  const [packageJson, ...makefiles] = await Promise.all(['package.json', ...MAKEFILES].map(read));
  return { packageJson: packageJson ?? null, makefile: makefiles.find(text => text !== null) ?? null };
}

/** In the order in which make looks for them. */
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];

/** The tests of every task of the backlog, landed or not: not every suite says what it runs. */
async function readListed({ ports, policy, baseTree }: CheckContext): Promise<readonly string[]> {
  try {
    const text = (await ports.workspace.readFile(baseTree, policy.backlogPath)) ?? '';
    const { tasks } = ports.backlog.parse(text);
    return tasks.flatMap(({ def }) => def.testFile ?? []);
  } catch {
    // Whoever broke the backlog is told so by others.
    return [];
  }
}

export interface ProofRun extends TestRun {
  readonly what: 'own' | 'validation' | 'suite';
}

/** The plain runs that a verdict stands on: the task's own and the whole suite. */
export function readRuns(ctx: CheckContext, side: Side): Promise<readonly ProofRun[]> {
  return ctx.tests.once(`runs of ${side}`, async () => {
    const { testFile } = ctx.task;
    const where = { side, tree: side === 'base' ? ctx.baseTree : ctx.candidate.tree } as const;
    const isThere = testFile !== null && (await ctx.ports.workspace.blobId(where.tree, testFile)) !== null;
    const runs = [
      ['own', isThere ? await runTestFile(ctx, where) : null],
      ['validation', await runValidation(ctx, where)],
      ['suite', await ctx.tests.suite(where)],
    ] as const;
    return runs.flatMap(([what, run]) => (run === null ? [] : [{ what, ...run }]));
  });
}
