import { defineCheck } from './shared/context.ts';
import { judgeAgainstBase } from './tests/against-base.ts';

/** Types fit no worse than on the base; a project that has them checked wants that to hold. */
export const types = defineCheck('types', async ctx => {
  const { typeCheckCommand: command, typeCheckBlocks: blocks } = ctx.policy;
  if (command === null) return { status: 'skipped', summary: 'no type check is configured' };
  return judgeAgainstBase(ctx, { check: 'types', name: 'the type check', command, blocks });
});
