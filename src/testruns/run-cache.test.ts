import { describe, expect, it } from 'vitest';
import {
  BASE,
  type CheckCase,
  changeRuns,
  createCheckContext,
  HEALTHY,
} from '../../test/support/check-bench.ts';
import { runChecks } from '../checks/run/run-checks.ts';
import type { Side } from './worktrees.ts';

const request = {
  side: 'candidate' as Side,
  tree: JSON.stringify(HEALTHY),
  command: 'test',
  runner: 'node',
  reportPath: null,
  idWithoutReport: 'test',
  purpose: 'trial',
  timeoutMs: 60_000,
} as const;

/** The same work with other notes and another backlog. */
const otherBooks = JSON.stringify({ ...HEALTHY, 'features.json': '{}', 'claude-progress.txt': 'done!' });

async function open(given: CheckCase = {}, isMentioned = false) {
  const bench = await createCheckContext(given);
  const workspace = { ...bench.ctx.ports.workspace, mentions: async () => isMentioned };
  return { ...bench, ctx: changeRuns(bench.ctx, { ports: { workspace } }) };
}

describe('what has been run', () => {
  it('is not run again when only backlog and notes have changed, and the record says where it ran', async () => {
    const { ctx, ran } = await open();
    await ctx.tests.run(request);
    const { tests } = changeRuns(ctx, {});
    const run = await tests.run({ ...request, tree: otherBooks });
    expect(ran).toHaveLength(1);
    expect(tests.records).toEqual([{ purpose: 'trial', tree: otherBooks, run, ranOn: request.tree }]);
  });

  it('is run again with another backlog where some file names it', async () => {
    const { ctx, ran } = await open({}, true);
    await ctx.tests.run(request);
    await ctx.tests.run({ ...request, tree: otherBooks });
    await ctx.tests.run({ ...request, tree: otherBooks });
    expect(ran).toHaveLength(2);
  });

  it('is run again with another backlog when only its exit code is looked at', async () => {
    const { ctx, ran } = await open();
    await ctx.tests.run({ ...request, runner: 'command' });
    await ctx.tests.run({ ...request, runner: 'command', tree: otherBooks });
    expect(ran).toHaveLength(2);
  });

  it('is run again after an upgrade, and not before', async () => {
    const { ctx, ran } = await open();
    let version = 'v20';
    const tests = { ...ctx.ports.tests, fingerprint: async () => version };
    const upgrading = changeRuns(ctx, { ports: { tests } });
    await upgrading.tests.run(request);
    await upgrading.tests.run(request);
    expect(ran).toHaveLength(1);
    version = 'v22';
    await upgrading.tests.run(request);
    expect(ran).toHaveLength(2);
  });

  it('is run as often as repeats are asked for, each of them once', async () => {
    const { ctx, ran } = await open();
    for (const repeat of [0, 1, 2, 1, 2]) await ctx.tests.run({ ...request, repeat });
    expect(ran).toHaveLength(3);
  });

  it('costs a second verification neither a run nor a tree', async () => {
    const { ctx, ran } = await open();
    let checkedOut = 0;
    const pristine = async (layFiles: number, tree: string) => {
      checkedOut++;
      return ctx.ports.workspace.pristine(layFiles, tree);
    };
    const ports = { workspace: { ...ctx.ports.workspace, pristine } };
    const first = await runChecks(changeRuns(ctx, { ports }));
    const before = [ran.length, checkedOut];
    const second = await runChecks(changeRuns(ctx, { ports }));
    expect([ran.length, checkedOut]).toEqual(before);
    expect(second).toEqual(first);
  });

  it('needs no tree laid out ahead', async () => {
    const { ctx } = await open();
    const checkedOut: string[] = [];
    const pristine = async (_: number, tree: string) => {
      checkedOut.push(tree);
      return ctx.ports.workspace.pristine(2, tree);
    };
    const { tests } = changeRuns(ctx, { ports: { workspace: { ...ctx.ports.workspace, pristine } } });
    await tests.run(request);
    tests.prefetch('candidate', request.tree);
    tests.prefetch('base', JSON.stringify(BASE));
    await tests.worktrees.settle();
    expect(checkedOut).toEqual([request.tree, JSON.stringify(BASE)]);
  });
});
