import { describe, expect, it } from 'vitest';
import { type CheckCase, changeRuns, createCheckContext } from '../../../test/support/check-bench.ts';
import { prefetchBase } from './judge.ts';
import { runChecks } from './run-checks.ts';

async function prefetch(given: CheckCase = {}, canTestSideBySide = true) {
  const { ctx, ran } = await createCheckContext(given);
  const ports = { ...ctx.ports, canTestSideBySide };
  const checkedOut: number[] = [];
  const pristine: typeof ports.workspace.pristine = (worktree, tree, options) => {
    checkedOut.push(worktree);
    return ctx.ports.workspace.pristine(worktree, tree, options);
  };
  await prefetchBase({ ...ctx, slot: 1, ports: { ...ports, workspace: { ...ports.workspace, pristine } } });
  return { ctx: { ...ctx, ports }, ran, checkedOut };
}

describe('prefetchBase', () => {
  it("measures the base and asks it for the task's own tests, and a verdict does not ask again", async () => {
    const { ctx, ran } = await prefetch();
    expect(ran).toEqual(['test @ pristine-3', 'test test/1 @ pristine-3']);
    await runChecks(changeRuns(ctx, { isSideBySide: true }));
    expect(ran.filter(run => run === 'test test/1 @ pristine-3')).toHaveLength(1);
  });

  it('lays out the places that the verdict will need', async () => {
    expect((await prefetch()).checkedOut).toEqual(expect.arrayContaining([2, 3, 1001]));
  });

  it.each<[string, CheckCase, boolean]>([
    ['what the agent runs could be disturbed by it', {}, false],
    ['the task has no test file', { task: { testFile: null } }, true],
    ['the test file is still to be written', { task: { testFile: 'test/new' } }, true],
  ])('does nothing where %s', async (_, given, canTestSideBySide) => {
    const { ran, checkedOut } = await prefetch(given, canTestSideBySide);
    expect([ran, checkedOut]).toEqual([[], []]);
  });
});
