import { matchesAny } from '../core/glob.ts';
import { getFeatureCommand } from '../core/test-command.ts';
import { getTestFile, type TestRun } from '../core/testing.ts';
import { isTestPath } from './changed-sources.ts';
import type { CheckContext } from './context.ts';
import { getSuiteInputs } from './run-cache.ts';
import { runOnTree } from './test-runs.ts';

/** More changed test files than this are run with the whole suite. */
const MAX_FILES = 8;

/**
 * Existing tests that the candidate changed, as the base has them, against the candidate's source: what
 * passed there must pass here, however the candidate's own version reads. One line for each that does not.
 */
export async function judgeBaseVersions(ctx: CheckContext): Promise<readonly string[]> {
  const files = getRewritten(ctx);
  const expected = ctx.baseline.passing.filter(
    id => files.includes(getTestFile(id)) && !ctx.quarantine?.has(id),
  );
  if (expected.length === 0) return [];
  const take = [{ from: ctx.baseTree, paths: files }];
  const tree = await ctx.ports.workspace.compose({ tree: ctx.candidate.tree, take });
  let lost: readonly string[] = expected;
  for (let repeat = 0; repeat <= ctx.policy.reruns && lost.length > 0; repeat++) {
    const green = await findGreen(ctx, tree, files, repeat);
    lost = lost.filter(id => !green.has(id));
  }
  return lost.map(id => `${id}, as it was on the base, no longer passes`);
}

/** Whether a test may be gone: the task says that its file may change, and it was changed. */
export function mayBeGone(ctx: CheckContext, id: string): boolean {
  const file = getTestFile(id);
  return matchesAny(file, ctx.task.mayChange) && ctx.changes.some(change => change.path === file);
}

/** Test files that were there before and that the task was not told it may change. */
function getRewritten(ctx: CheckContext): readonly string[] {
  return ctx.changes
    .filter(({ path, kind }) => kind !== 'added' && isTestPath(ctx, path))
    .map(({ path }) => path)
    .filter(path => !matchesAny(path, ctx.task.mayChange));
}

async function findGreen(
  ctx: CheckContext,
  tree: string,
  files: readonly string[],
  repeat: number,
): Promise<ReadonlySet<string>> {
  const { attempt, signal } = ctx;
  const place = { purpose: "base's own tests, candidate", slot: attempt.slot, signal, repeat };
  const runs: TestRun[] = [];
  for (const run of getRuns(ctx, tree, files))
    runs.push(await runOnTree(ctx, { ...run, ...place, side: 'candidate' }));
  const results = runs.flatMap(run => run.results);
  return new Set(results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
}

function getRuns({ policy }: CheckContext, tree: string, files: readonly string[]) {
  const { runner, reportPath, full } = policy.testing;
  const suite = getSuiteInputs(policy, tree);
  const commands = files.map(file => ({ file, command: getFeatureCommand(policy.testing, file) }));
  const isApart = files.length <= MAX_FILES && commands.every(({ command }) => command && command !== full);
  if (!isApart) return suite ? [suite] : [];
  const how = { tree, runner, reportPath, timeoutMs: policy.testTimeoutMs };
  return commands.map(({ file, command }) => ({ ...how, command: command ?? '', idWithoutReport: file }));
}
