import { getFolder } from '../core/base/tree-path.ts';
import { type GateFinding, judgeGates } from '../core/model/gates.ts';
import type { TestRun } from '../core/model/testing.ts';
import type { Side } from '../testruns/worktrees.ts';
import { type CheckContext, defineCheck } from './shared/context.ts';

/** The project still builds, and what is in git of its built files is what a fresh build makes. */
export const build = defineCheck('build', async ctx => {
  const { buildCommand: command, gates } = ctx.policy;
  if (command === null) return { status: 'skipped', summary: 'no build is configured' };
  const after = await runBuild(ctx, command, 'candidate', ctx.candidate.tree);
  const isGreen = after.exitCode === 0;
  if (isGreen && !after.wrote) return { ...judgeGates([], gates, 'it builds'), commands: [command] };
  const before = await runBuild(ctx, command, 'base', ctx.baseTree);
  const found = isGreen ? getStale(before, after) : [getBroken(before, after)];
  return { ...judgeGates(found, gates, 'it builds'), commands: [command] };
});

function getBroken(before: TestRun, after: TestRun): GateFinding {
  if (before.exitCode !== 0)
    return { gate: 'build', text: 'the build fails as it did before', isMinor: true };
  const how = after.timedOut ? 'comes to no end' : 'fails';
  const tail = after.reportProblem ?? after.outputTail.slice(-2_000);
  return { gate: 'build', text: `the build passed on the base and ${how} now: ${tail}` };
}

/** A build that never gives the same twice in some folder says nothing about the files there. */
function getStale(before: TestRun, after: TestRun): readonly GateFinding[] {
  const unsteady = new Set(before.wrote?.map(getFolder));
  return (after.wrote ?? []).map(path => ({
    gate: 'build',
    text: `${path} is not what ${after.command} makes of its source: build, and add what comes out`,
    isMinor: before.exitCode !== 0 || unsteady.has(getFolder(path)),
  }));
}

function runBuild(ctx: CheckContext, command: string, side: Side, tree: string): Promise<TestRun> {
  return ctx.tests.run({
    purpose: `build, ${side}`,
    side,
    tree,
    command,
    runner: 'command',
    idWithoutReport: 'build',
    isWatched: true,
  });
}
