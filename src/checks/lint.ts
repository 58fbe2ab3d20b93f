import { judgeAgainstBase } from './against-base.ts';
import { defineCheck } from './context.ts';

/** Lint is no worse than on the base; whether worse blocks or only warns is the project's choice. */
export const lint = defineCheck('lint', async ctx => {
  const { lintCommand: command, lintBlocks: blocks } = ctx.policy;
  if (command === null) return { status: 'skipped', summary: 'no lint command is configured' };
  return judgeAgainstBase(ctx, { check: 'lint', name: 'lint', command, blocks });
});
