import { canScan } from '../../core/code/imports.ts';
import { getWord, type JudgeFiles } from '../../core/code/judge-files.ts';
import { TestRuns, type TestRunsOptions } from '../../testruns/test-runs.ts';
import type { CheckContext } from '../shared/context.ts';
import { runTestFile } from '../shared/own-tests.ts';
import { readSideFiles } from '../shared/read-judge-files.ts';
import { tryEmptied } from '../shared/trials.ts';

type Context = Pick<CheckContext, 'ports' | 'policy' | 'task' | 'attempt' | 'signal' | 'baseTree'> &
  Pick<TestRunsOptions, 'slot' | 'places'>;

/** More would be guessing, and an agent that is done at once waits for them. */
const MAX_FILES = 2;

/**
 * What a verdict will ask of the base, asked while an agent works: the task's own tests, and what they say of the files
 * that they are likely to be about when those do nothing; and its places, with what has to be installed there. Only
 * where it cannot be in the way of what the agent runs.
 */
export async function prefetchBase(ctx: Context): Promise<void> {
  const { task, baseTree: tree, ports, policy } = ctx;
  if (task.testFile === null || !ports.canTestSideBySide) return;
  if ((await ports.workspace.blobId(tree, task.testFile)) === null) return;
  const candidate = { commit: tree, tree, backlogProblems: [], claims: [] };
  const tests = new TestRuns({ ...ctx, isSideBySide: true });
  const { baseline } = await tests.baseline(tree);
  const base = { ...ctx, candidate, baseline, changes: [], tests };
  await runTestFile(base, { side: 'base', tree });
  for (const isBeside of [false, true]) await tests.layOut({ side: 'candidate', isBeside, tree });
  if (policy.testing.runner === 'command') return;
  const { judge, files } = await readSideFiles(base, 'base');
  for (const path of getLikely(judge, files, task.testFile))
    await tryEmptied(base, 'base', path, judge.getTestsOf(path));
}

/** Files that only tests use, this one among them: those of its name first, then those that few others use. */
function getLikely(judge: JudgeFiles, files: ReadonlySet<string>, testFile: string): readonly string[] {
  const getLetters = (path: string) => getWord(path).replaceAll('_', '');
  const isNamed = (path: string) => Number(getLetters(testFile).includes(getLetters(path)));
  return [...files]
    .filter(path => canScan(path) && !judge.isOfTests(path) && judge.getUsers(path) === 'tests')
    .map(path => ({ path, tests: judge.getTestsOf(path) }))
    .filter(({ tests }) => tests.includes(testFile))
    .sort((a, b) => isNamed(b.path) - isNamed(a.path) || a.tests.length - b.tests.length)
    .slice(0, MAX_FILES)
    .map(({ path }) => path);
}
