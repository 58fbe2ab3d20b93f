import { matchesAny } from '../../core/base/glob.ts';
import { getTestFile } from '../../core/model/testing.ts';
import { readIsTest } from '../shared/changed-sources.ts';
import type { CheckContext } from '../shared/context.ts';
import { getGreen } from '../shared/own-tests.ts';

/**
 * The tests of the base alone, as the base has them, against the candidate's source: what passed there must
 * pass here without help from a test that came with the change. One line for each that does not.
 */
export async function judgeBaseVersions(ctx: CheckContext): Promise<readonly string[]> {
  const files = await findBrought(ctx);
  const expected = ctx.baseline.passing.filter(id => !ctx.quarantine?.has(id) && !mayBeGone(ctx, id));
  if (expected.length === 0 || files.length === 0) return [];
  const take = [{ from: ctx.baseTree, paths: files }];
  const tree = await ctx.ports.workspace.compose({ tree: ctx.candidate.tree, take });
  let lost: readonly string[] = expected;
  for (let repeat = 0; repeat <= ctx.policy.reruns && lost.length > 0; repeat++) {
    const green = await findGreen(ctx, tree, repeat);
    lost = lost.filter(id => !green.has(id));
  }
  const isRewritten = (id: string) => files.includes(getTestFile(id));
  return lost.map(id =>
    isRewritten(id)
      ? `${id}, as it was on the base, no longer passes`
      : `${id} no longer passes where only the base's tests are run`,
  );
}

/** Whether a test may be gone: the task says that its file may change, and it was changed. */
export function mayBeGone(ctx: CheckContext, id: string): boolean {
  const file = getTestFile(id);
  return matchesAny(file, ctx.task.mayChange) && ctx.changes.some(change => change.path === file);
}

/** Test files that came with the change, or were changed, without the task's leave. */
async function findBrought(ctx: CheckContext): Promise<readonly string[]> {
  const isTest = await readIsTest(ctx);
  const changed = ctx.changes.map(({ path }) => path);
  return changed.filter(path => isTest(path) && !matchesAny(path, ctx.task.mayChange));
}

async function findGreen(ctx: CheckContext, tree: string, repeat: number): Promise<ReadonlySet<string>> {
  const purpose = "base's own tests, candidate";
  const run = await ctx.tests.suite({ side: 'candidate', tree, purpose, repeat });
  return run ? getGreen(run) : new Set();
}
