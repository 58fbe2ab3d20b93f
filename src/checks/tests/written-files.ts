import { canScan } from '../../core/code/imports.ts';
import type { TestRun } from '../../core/model/testing.ts';
import { readIsTest } from '../shared/changed-sources.ts';
import type { CheckContext } from '../shared/context.ts';

/** A run of its own: what is known of the base may be from before anybody looked. */
const APART = 1_000;

/**
 * Code and tests that were written over while the suite ran: what was green then is not what would land. A
 * project whose tests always do that is left in peace. One line for each.
 */
export async function judgeWritten(ctx: CheckContext, run: TestRun): Promise<readonly string[]> {
  const isTest = await readIsTest(ctx);
  const wrote = (run.wrote ?? []).filter(path => canScan(path) || isTest(path));
  if (wrote.length === 0) return [];
  const where = { tree: ctx.baseTree } as const;
  const base = await ctx.tests.suite({ ...where, side: 'base', purpose: 'suite again, base', repeat: APART });
  return wrote
    .filter(path => !base?.wrote?.includes(path))
    .map(path => `${path} was written over while the tests ran: they passed on something else`);
}
