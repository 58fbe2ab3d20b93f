import { isLeftOut, type TestOutcome, type TestRun } from '../../core/model/testing.ts';
import { type CheckContext, wroteOwnTest } from '../shared/context.ts';
import { runTestFile } from '../shared/own-tests.ts';

/** Tests of the task's own file that a run left out, by what became of them without the change. */
export interface Skipped {
  /** Left out there as well: they have no part in the judgement. */
  readonly aside: ReadonlySet<string>;
  /** Those of which nobody can say, as the file cannot be run there and they are new. */
  readonly unknown: readonly string[];
}

/**
 * A skip that was there before is nobody's doing. Where the approved test cannot be run on the base, the file is asked
 * as it was before it was approved. What the agent wrote itself has to run.
 */
export async function judgeSkipped(ctx: CheckContext, run: TestRun): Promise<Skipped> {
  const ids = run.results.filter(isLeftOut).map(({ id }) => id);
  if (ids.length === 0) return { aside: new Set(), unknown: [] };
  const base = await readOutcomes(ctx, ctx.baseTree);
  const isLoaded = base.size > 0 && ![...base.values()].includes('error');
  const isTold = isLoaded || wroteOwnTest(ctx);
  const before = isTold ? base : new Map([...(await readBefore(ctx)), ...base]);
  const isSkipped = (id: string): boolean => isLeftOut({ outcome: before.get(id) ?? 'error' });
  return {
    aside: new Set(ids.filter(isSkipped)),
    unknown: isTold ? [] : ids.filter(id => !before.has(id)),
  };
}

/** What the tests gave on the base with the file as it was before the commit that approved it. */
async function readBefore(ctx: CheckContext): Promise<ReadonlyMap<string, TestOutcome>> {
  const { task, ports, candidate, baseTree } = ctx;
  if (task.testFile === null) return new Map();
  const text = (await ports.workspace.readEarlier?.(candidate.commit, task.testFile)) ?? null;
  if (text === null) return new Map();
  const put = [{ path: task.testFile, text }];
  return readOutcomes(
    ctx,
    await ports.workspace.compose({ tree: baseTree, put }),
    'own tests of before, base',
  );
}

async function readOutcomes(
  ctx: CheckContext,
  tree: string,
  purpose = 'own tests, base',
): Promise<ReadonlyMap<string, TestOutcome>> {
  const { task, ports } = ctx;
  const isThere = task.testFile !== null && (await ports.workspace.blobId(tree, task.testFile)) !== null;
  const run = isThere ? await runTestFile(ctx, { side: 'base', tree, purpose }) : null;
  return new Map(run?.results.map(({ id, outcome }) => [id, outcome]));
}
