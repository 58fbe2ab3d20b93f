import { isBacklogPath } from '../../core/model/policy.ts';
import { isAllGreen } from '../../testruns/own-proof.ts';
import { readIsTest } from '../shared/changed-sources.ts';
import { type CheckContext, wroteOwnTest } from '../shared/context.ts';
import { runTestFile, runValidation } from '../shared/own-tests.ts';

/**
 * Honest work that turns nothing from red to green. `tests`: only tests were written, for code that was there.
 * `unchanged`: the code is another, and what judges it is as it was and as green.
 */
export type Unturned = 'tests' | 'unchanged';

/** What a verdict on such work rests on. */
export const BASIS: Readonly<Record<Unturned, string>> = {
  tests:
    'only tests were written, and they are green on the code as it was: it rests on what they notice when that code is broken, and on a review',
  unchanged:
    'nothing turned from red to green: it rests on behaviour that is unchanged where tests hold it, and on a review',
};

/** Which kind of such work this is; null where something turned green, or should have. By what was run, not by words. */
export function readUnturned(ctx: CheckContext): Promise<Unturned | null> {
  return ctx.tests.once('work that turns nothing green', async () => {
    const changed = ctx.changes.map(({ path }) => path).filter(path => isWork(ctx, path));
    const { testFile, validation } = ctx.task;
    if ((testFile === null && validation === null) || changed.length === 0) return null;
    const isTest = await readIsTest(ctx);
    if (changed.every(isTest)) return testFile === null || wroteOwnTest(ctx) ? 'tests' : null;
    if (testFile === null || changed.some(isTest)) return null;
    return (await isGreenBefore(ctx)) ? 'unchanged' : null;
  });
}

function isWork({ policy }: CheckContext, path: string): boolean {
  return !isBacklogPath(policy, path) && path !== policy.notesPath;
}

/** Whether all that is to prove the task was there and green before it, and says the same now. */
async function isGreenBefore(ctx: CheckContext): Promise<boolean> {
  const { task, baseTree, candidate, ports } = ctx;
  if (task.testFile === null || (await ports.workspace.blobId(baseTree, task.testFile)) === null)
    return false;
  for (const run of [runTestFile, runValidation]) {
    const before = await run(ctx, { side: 'base', tree: baseTree });
    const after = await run(ctx, { side: 'candidate', tree: candidate.tree });
    if (before === null || after === null) continue;
    const known = new Map(before.results.map(({ id, outcome }) => [id, outcome]));
    if (!isAllGreen(before) || !isAllGreen(after)) return false;
    if (after.results.some(({ id, outcome }) => known.get(id) !== outcome)) return false;
  }
  return true;
}
