import { defineCheck } from './shared/context.ts';
import { judgeAgainstBase } from './tests/against-base.ts';

/** Lint is no worse than on the base; whether worse blocks or only warns is the project's choice, save for a clean-up. */
export const lint = defineCheck('lint', async ctx => {
  const { lintCommand: command, lintBlocks } = ctx.policy;
  const blocks = lintBlocks || ctx.task.kind === 'cleanup';
  if (command === null) return { status: 'skipped', summary: 'no lint command is configured' };
  return judgeAgainstBase(ctx, { check: 'lint', name: 'lint', command, blocks });
});
