import { getFeatureCommand } from '../core/test-command.ts';
import type { TestRun } from '../core/testing.ts';
import type { CheckContext } from './context.ts';
import { runOnTree, type Side } from './test-runs.ts';

/** The base with nothing of the candidate but its test file. */
export async function getTreeWithout(ctx: CheckContext): Promise<string> {
  const { testFile } = ctx.task;
  if (testFile === null || !ctx.changes.some(change => change.path === testFile)) return ctx.baseTree;
  return ctx.ports.workspace.compose({
    tree: ctx.baseTree,
    take: [{ from: ctx.candidate.commit, paths: [testFile] }],
  });
}

/** The task's test file and its validation command, each a run of its own. */
export async function runOwnTests(ctx: CheckContext, side: Side, tree: string): Promise<readonly TestRun[]> {
  const { task, policy, attempt, signal } = ctx;
  const runs: TestRun[] = [];
  const place = { purpose: `own tests, ${side}`, slot: attempt.slot, side, tree, signal };
  const featureCommand = task.testFile === null ? null : getFeatureCommand(policy.testing, task.testFile);
  if (task.testFile !== null && featureCommand !== null) {
    const { runner, reportPath } = policy.testing;
    const idWithoutReport = task.testFile;
    runs.push(
      await runOnTree(ctx, {
        ...place,
        command: featureCommand,
        runner,
        reportPath,
        idWithoutReport,
        timeoutMs: policy.testTimeoutMs,
      }),
    );
  }
  if (task.validation !== null) {
    const { command, timeoutSeconds } = task.validation;
    const how = { runner: 'command', reportPath: null, idWithoutReport: `validation: ${command}` } as const;
    runs.push(await runOnTree(ctx, { ...place, ...how, command, timeoutMs: timeoutSeconds * 1_000 }));
  }
  return runs;
}
