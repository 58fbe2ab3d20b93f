import type { CheckName, CheckResult } from '../../core/model/check.ts';
import { isDecisive } from '../../core/model/verdict.ts';
import { build } from '../build.ts';
import { canary } from '../canary.ts';
import { claim } from '../claim.ts';
import { diff } from '../diff.ts';
import { evidence } from '../evidence.ts';
import { failToPass } from '../fail-to-pass.ts';
import { heldOut } from '../held-out.ts';
import { human } from '../human.ts';
import { lint } from '../lint.ts';
import { mutation } from '../mutation.ts';
import { observed } from '../observed.ts';
import { passToPass } from '../pass-to-pass.ts';
import { protectedFiles } from '../protected.ts';
import { reversal } from '../reversal.ts';
import { review } from '../review.ts';
import { type Check, type CheckContext, getPersonsAnswer } from '../shared/context.ts';
import { looksOnce } from '../shared/own-tests.ts';
import { size } from '../size.ts';
import { surface } from '../surface.ts';
import { testAware } from '../test-aware.ts';
import { types } from '../types.ts';
import { visual } from '../visual.ts';
import { openBeside } from './beside.ts';

/** The checks in order; cheap and telling ones first. */
const CHECKS: ReadonlyMap<CheckName, Check> = new Map([
  ['claim', claim],
  ['protected', protectedFiles],
  ['diff', diff],
  ['test-aware', testAware],
  ['fail-to-pass', failToPass],
  // Only now: an agent whose tests are red is better told which ones, and a task that nobody can do shows.
  ['evidence', evidence],
  ['pass-to-pass', passToPass],
  ['observed', observed],
  ['surface', surface],
  ['canary', canary],
  ['reversal', reversal],
  ['mutation', mutation],
  ['held-out', heldOut],
  ['lint', lint],
  ['types', types],
  ['build', build],
  ['size', size],
  ['review', review],
  ['visual', visual],
  ['human', human],
]);

/** Begun as soon as nothing is wrong on sight; the suite as well, where it is a look at the task's own tests. */
const FIRST: readonly CheckName[] = ['test-aware', 'fail-to-pass'];

/** Begun together, in this order: the first asks for its runs before those that must fail. */
const BESIDE: readonly CheckName[] = [
  'pass-to-pass',
  'observed',
  'surface',
  'canary',
  'mutation',
  'lint',
  'types',
];

/** Runs the checks until one makes going on pointless. */
export async function runChecks(ctx: CheckContext): Promise<readonly CheckResult[]> {
  const first = (await looksOnce(ctx)) ? [...FIRST, 'pass-to-pass' as const] : FIRST;
  const results: CheckResult[] = [];
  const answer = getPersonsAnswer(ctx);
  const approvedBy = answer?.passed ? answer.by : (ctx.approvedBy ?? null);
  const beside = openBeside(ctx);
  try {
    for (const [name, check] of CHECKS) {
      if (ctx.without?.has(name)) continue;
      const begun = name === 'test-aware' ? first : name === 'pass-to-pass' ? BESIDE : [];
      for (const other of begun) beside.start(other, CHECKS.get(other) as Check);
      const result = getSettled(
        (await beside.take(name)) ?? (await check({ ...ctx, earlier: results })),
        approvedBy,
      );
      results.push(result);
      ctx.ports.reporter.phase(ctx.task.id, `${result.check}: ${result.status} (${result.summary})`);
      if (isDecisive(result)) break;
    }
    return results;
  } finally {
    await beside.close();
  }
}

/** What was left to a person is settled by their yes to exactly this work; nothing else is. */
function getSettled(result: CheckResult, approvedBy: string | null): CheckResult {
  if (result.status !== 'needs-human' || approvedBy === null) return result;
  return { ...result, status: 'passed', summary: `${approvedBy} said yes to this: ${result.summary}` };
}
