import type { CheckResult } from '../../core/model/check.ts';
import { isBacklogPath } from '../../core/model/policy.ts';
import type { TestResult } from '../../core/model/testing.ts';
import { isDecisive } from '../../core/model/verdict.ts';
import { getRedReason } from '../../core/testing/red-reason.ts';
import type { FileChange } from '../../ports/index.ts';
import { claim } from '../claim.ts';
import { protectedFiles } from '../protected.ts';
import { type Check, type CheckContext, defineCheck } from '../shared/context.ts';
import { runTestFile } from '../shared/own-tests.ts';
import { readSideFiles } from '../shared/read-judge-files.ts';

/** What a test must be before anybody works by it: its author's own files alone, and red for an honest reason. */
export async function runAuthorChecks(ctx: CheckContext): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of CHECKS) {
    const result = await check(ctx);
    results.push(result);
    ctx.ports.reporter.phase(ctx.task.id, `${result.check}: ${result.status} (${result.summary})`);
    if (isDecisive(result)) break;
  }
  return results;
}

/** Only the test file and new files beside the tests. */
const ownFiles = defineCheck('protected', async ctx => {
  const { judge } = await readSideFiles(ctx, 'base');
  const isBeside = (path: string) => path.startsWith(getFolder(ctx.task.testFile)) || judge.isOfTests(path);
  const foreign = ctx.changes.filter(change => !mayWrite(ctx, change, isBeside)).map(({ path }) => path);
  if (foreign.length === 0) return { status: 'passed', summary: 'only tests were written' };
  return {
    status: 'failed',
    summary: `${foreign.length} files were changed that are no part of the test`,
    findings: foreign.map(path => `${path}: write only ${ctx.task.testFile} and new files beside the tests`),
  };
});

/** With its slash; at the top there is no beside. */
function getFolder(path: string | null): string {
  return path?.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '/';
}

function mayWrite(
  { task, policy }: CheckContext,
  { path, kind, mode }: FileChange,
  isBeside: (path: string) => boolean,
): boolean {
  if (isBacklogPath(policy, path) || path === policy.notesPath) return true;
  const isPlain = kind === 'added' && (mode === '100644' || mode === '100755');
  return isPlain && (path === task.testFile || isBeside(path));
}

/** The test fails on the base, every red test for a reason that lies in what is to be built. */
const honestlyRed = defineCheck('fail-to-pass', async ctx => {
  const { testFile } = ctx.task;
  if (testFile === null || (await ctx.ports.workspace.blobId(ctx.candidate.commit, testFile)) === null) {
    return { status: 'failed', summary: `${testFile} does not exist`, findings: [`write ${testFile}`] };
  }
  const run = await runTestFile(ctx, {
    side: 'candidate',
    tree: ctx.candidate.tree,
    purpose: 'authored test',
  });
  if (!run) return { status: 'needs-human', summary: 'no command is configured that could run the test' };
  const commands = [run.command];
  const fail = (summary: string, findings: readonly string[]) =>
    ({ status: 'failed', summary, findings, commands }) as const;
  if (run.timedOut) return fail('the test runs out of time', ['a test must come to an end by itself']);
  if (run.reportProblem || run.results.length === 0) {
    const why = run.reportProblem ?? 'no tests were collected';
    return fail('the test gives no result', [`${why}\n${run.outputTail.slice(-1_500)}`]);
  }
  const idle = run.results.filter(({ outcome }) => outcome === 'skipped' || outcome === 'todo');
  if (idle.length > 0)
    return fail(
      'some tests are skipped',
      idle.map(({ id }) => `${id} does not run`),
    );
  const red = run.results.filter(({ outcome }) => outcome !== 'passed');
  if (red.length === 0)
    return fail('the test passes already', ['test what the task asks for and the project does not do yet']);
  const dishonest = red.flatMap(getDishonest);
  if (dishonest.length > 0) return fail('the test fails for a reason of its own', dishonest);
  return { status: 'passed', summary: `${red.length} tests fail as they should`, commands };
});

function getDishonest(result: TestResult): readonly string[] {
  const { isHonest, kind, line } = getRedReason(result, []);
  return isHonest ? [] : [`${result.id} is red because of itself (${kind}): ${line}`];
}

const CHECKS: readonly Check[] = [claim, protectedFiles, ownFiles, honestlyRed];
