import type { TestRun } from '../core/testing.ts';
import { type CheckContext, defineCheck } from './context.ts';
import { getTreeWithout, runOwnTests } from './own-tests.ts';
import { layOutAhead } from './test-runs.ts';

/**
 * The task's own tests pass with the change and do not pass without it. Without means: the base's
 * source with the candidate's version of the test file, so that a new test has to earn its keep.
 */
export const failToPass = defineCheck('fail-to-pass', async ctx => {
  const { testFile, validation } = ctx.task;
  if (testFile === null && validation === null) {
    return {
      status: 'needs-human',
      summary: 'the task has neither a test file nor a validation command to prove it by',
    };
  }
  if (testFile !== null && (await ctx.ports.workspace.blobId(ctx.candidate.commit, testFile)) === null) {
    return {
      status: 'failed',
      summary: `${testFile} does not exist`,
      findings: [`write the test file ${testFile}`],
    };
  }
  const withChange = await runOwnTests(ctx, 'candidate', ctx.candidate.tree);
  const red = getRed(withChange);
  const commands = withChange.map(run => run.command);
  if (red.problem) return { status: 'inconclusive', summary: red.problem, findings: red.findings, commands };
  if (red.findings.length > 0) {
    return {
      status: 'failed',
      summary: "the task's own tests do not pass",
      findings: red.findings,
      commands,
    };
  }
  if (ctx.policy.testing.full !== null)
    layOutAhead(ctx, { slot: ctx.attempt.slot, side: 'candidate', tree: ctx.candidate.tree });
  const blind = getBlindSpot(ctx);
  if (blind) return { ...blind, commands };
  const without = await runOwnTests(ctx, 'base', await getTreeWithout(ctx));
  if (without.some(run => run.timedOut)) {
    return { status: 'inconclusive', summary: 'the tests ran out of time on the base', commands };
  }
  const gone = getGone(withChange, without);
  if (gone.length > 0) {
    return {
      status: 'failed',
      summary: `${gone.length} of the task's own tests were not run to their end`,
      findings: gone,
      commands,
    };
  }
  const turned = getTurned(withChange, without);
  if (turned === 0) return getVacuous(ctx, commands);
  return { status: 'passed', summary: `${turned} tests turned from red to green`, commands };
});

/** A test that the agent wrote and that only has an exit code may hold no test at all. */
function getBlindSpot(ctx: CheckContext) {
  const { task, policy, changes } = ctx;
  const wroteTest = changes.some(change => change.path === task.testFile);
  if (policy.testing.runner !== 'command' || !wroteTest || task.validation !== null) return null;
  return {
    status: 'needs-human',
    summary: `${task.testFile} was written by the agent, and only its exit code can be seen`,
    findings: [
      `commit ${task.testFile} yourself before the task runs, or give the task a validation command`,
      'or set testing.runner to one that reports its tests',
    ],
  } as const;
}

/** Everything that keeps a run from being green; exactly `passed` is the only good outcome. */
function getRed(runs: readonly TestRun[]): { problem: string | null; findings: string[] } {
  if (runs.length === 0)
    return { problem: 'no command is configured that could run the test file', findings: [] };
  const findings: string[] = [];
  for (const run of runs) {
    if (run.timedOut)
      return { problem: `${run.command} ran out of time`, findings: [run.outputTail.slice(-1_000)] };
    if (run.reportProblem || run.results.length === 0) {
      findings.push(
        `${run.command}: ${run.reportProblem ?? 'no tests were collected'}\n${run.outputTail.slice(-1_500)}`,
      );
    }
    for (const result of run.results) {
      if (result.outcome !== 'passed')
        findings.push(
          `${result.id}: ${result.outcome}${result.message ? ` — ${result.message.slice(0, 600)}` : ''}`,
        );
    }
  }
  return { problem: null, findings };
}

/** Tests that the same file has on the base and that nobody saw passing with the change. */
function getGone(withChange: readonly TestRun[], without: readonly TestRun[]): string[] {
  const green = new Set(
    withChange.flatMap(run => run.results.filter(r => r.outcome === 'passed').map(r => r.id)),
  );
  const known = without.flatMap(run => run.results).filter(result => result.outcome !== 'error');
  return known
    .filter(({ id }) => !green.has(id))
    .map(({ id }) => `${id} is there on the base and gave no result with the change`);
}

function getTurned(withChange: readonly TestRun[], without: readonly TestRun[]): number {
  const greenBefore = new Set(
    without.flatMap(run => run.results.filter(r => r.outcome === 'passed').map(r => r.id)),
  );
  return withChange.flatMap(run => run.results).filter(result => !greenBefore.has(result.id)).length;
}

function getVacuous(ctx: CheckContext, commands: readonly string[]) {
  const wroteTest = ctx.changes.some(change => change.path === ctx.task.testFile);
  const summary = 'the tests pass without the change as well: they prove nothing';
  const findings = wroteTest
    ? [`make ${ctx.task.testFile} fail on the code as it was`]
    : ['the base already satisfies this task, or its test does not test it: a person has to say which'];
  return { status: wroteTest ? 'failed' : 'needs-human', summary, findings, commands } as const;
}
