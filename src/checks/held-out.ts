import type { TestRun } from '../core/model/testing.ts';
import { readHeldOut, runOwnProof } from '../testruns/own-proof.ts';
import { type CheckContext, defineCheck } from './shared/context.ts';

/**
 * Tests that the agent never saw pass too. They are laid into the pristine tree for the run alone, never
 * into the object store, which agents can read; what they find stays between the harness and people.
 */
export const heldOut = defineCheck('held-out', async ctx => {
  const files = (await ctx.ports.heldOut?.list(ctx.task.id)) ?? [];
  if (files.length === 0) return { status: 'skipped', summary: 'no tests are held out for this task' };
  const hashes = Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256]));
  const runs = await runHidden(ctx);
  const body = { ...judge(runs), commands: runs.map(run => run.command), hashes };
  return body.status === 'passed' ? body : { ...body, private: true };
});

async function runHidden(ctx: CheckContext): Promise<TestRun[]> {
  const where = { side: 'candidate', tree: ctx.candidate.tree } as const;
  const runs: TestRun[] = [];
  for (const part of await readHeldOut(ctx, ctx.task.id))
    runs.push(await runOwnProof(ctx.tests, part, { ...where, purpose: 'held-out' }));
  return runs;
}

/** The summary is told to the agent: it says that something is wrong, never what. */
function judge(runs: readonly TestRun[]) {
  if (runs.length === 0)
    return {
      status: 'inconclusive',
      summary: 'no command is configured that could run held-out tests',
    } as const;
  const lost = runs.find(run => run.timedOut || run.reportProblem || run.results.length === 0);
  if (lost) {
    const why = lost.timedOut ? 'ran out of time' : (lost.reportProblem ?? 'no tests were collected');
    const findings = [`${lost.command}: ${why}`, lost.outputTail.slice(-1_000)];
    return { status: 'inconclusive', summary: 'held-out tests could not be run', findings } as const;
  }
  const results = runs.flatMap(run => run.results);
  const red = results.filter(({ outcome }) => outcome !== 'passed');
  if (red.length > 0) {
    const findings = red.map(({ id, outcome, message = '' }) => `${id}: ${outcome} ${message.slice(0, 600)}`);
    return { status: 'failed', summary: 'tests that the agent has not seen fail', findings } as const;
  }
  return { status: 'passed', summary: `${results.length} held-out tests pass` } as const;
}
