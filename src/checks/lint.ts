import type { CheckContext } from './context.ts';
import { defineCheck } from './context.ts';
import { runOnTree, type Side } from './test-runs.ts';

/** Lint is no worse than on the base; whether worse blocks or only warns is the project's choice. */
export const lint = defineCheck('lint', async ctx => {
  const { lintCommand } = ctx.policy;
  if (lintCommand === null) return { status: 'skipped', summary: 'no lint command is configured' };
  const commands = [lintCommand];
  const after = await runLint(ctx, 'candidate', ctx.candidate.tree, lintCommand);
  if (after.exitCode === 0) return { status: 'passed', summary: 'lint is clean', commands };
  const before = await runLint(ctx, 'base', ctx.baseTree, lintCommand);
  if (before.exitCode !== 0) {
    return {
      status: 'warned',
      summary: 'lint fails as it did before',
      findings: ['lint already failed on the base'],
      commands,
    };
  }
  const findings = [after.outputTail.slice(-2_000)];
  return {
    status: ctx.policy.lintBlocks ? 'failed' : 'warned',
    summary: 'lint was clean and no longer is',
    findings,
    commands,
  };
});

function runLint(ctx: CheckContext, side: Side, tree: string, command: string) {
  return runOnTree(ctx, {
    purpose: `lint, ${side}`,
    slot: ctx.attempt.slot,
    side,
    tree,
    command,
    runner: 'command',
    reportPath: null,
    idWithoutReport: 'lint',
    timeoutMs: ctx.policy.commandTimeoutMs,
    signal: ctx.signal,
  });
}
