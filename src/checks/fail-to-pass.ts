import { getCount } from '../core/base/text.ts';
import { getBasis, type ProofBasis } from '../core/model/task.ts';
import { isLeftOut, type TestOutcome, type TestRun } from '../core/model/testing.ts';
import { composeReversal } from './shared/changed-sources.ts';
import { type CheckContext, defineCheck, wroteOwnTest } from './shared/context.ts';
import { getGone, getGreen, runTestFile, runValidation } from './shared/own-tests.ts';
import { getLostReason, getUnheard, isEnvironmental, isHungOnBase, isLost } from './tests/lost-report.ts';
import { BASIS, readUnturned } from './tests/unturned.ts';

/**
 * The task's own tests pass with the change, and on the base, with the base's own version of them or one that the
 * task allowed to write, they do not. A test that is new has no version there: what it is worth is the reversal's question.
 */
export const failToPass = defineCheck('fail-to-pass', async ctx => {
  const { testFile, validation } = ctx.task;
  const instead = INSTEAD[getBasis(ctx.task) ?? 'tests'];
  if (instead !== null) return { status: 'skipped', summary: instead };
  if (ctx.task.kind === 'cleanup') return getHeldInPlace(ctx);
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
  const withChange = await runWithChange(ctx);
  const commands = withChange.map(run => run.command);
  const lost = withChange.find(run => isLost(run) && !run.timedOut);
  if (lost && (await isEnvironmental(ctx, lost))) return { ...getUnheard(lost), commands };
  const own = testFile === null ? undefined : withChange[0];
  const { aside, unknown } = own ? await judgeSkipped(ctx, own) : NOTHING_SKIPPED;
  const red = getRed(withChange, new Set([...aside, ...unknown]));
  if (red.problem) {
    const measures = { timedOut: withChange.filter(run => run.timedOut).length };
    return { status: 'inconclusive', summary: red.problem, findings: red.findings, commands, measures };
  }
  if (red.findings.length > 0) {
    return {
      status: 'failed',
      summary: "the task's own tests do not pass",
      findings: [...red.findings, ...getNetworkHint(ctx, red.findings)],
      failing: red.failing,
      commands,
    };
  }
  if (ctx.policy.testing.full !== null) ctx.tests.prefetch('candidate', ctx.candidate.tree);
  if (unknown.length > 0) return { ...getUnreported(unknown), commands };
  const blind = getBlindSpot(ctx);
  if (blind) return { ...blind, commands };
  return { ...(await judgeBase(ctx, withChange)), commands };
});

/** What decides where no tests do. */
const INSTEAD: Readonly<Record<ProofBasis, string | null>> = {
  tests: null,
  review: 'a review decides instead of tests',
  person: 'a person decides instead of tests',
};

/** A clean-up turns nothing green: what it may not change is what the suite shows, if it shows anything. */
function getHeldInPlace({ baseline }: CheckContext) {
  const count = baseline.passing.length;
  if (count === 0)
    return { status: 'failed', summary: 'no test passes that could show that nothing has changed' } as const;
  const summary = `a clean-up has no tests of its own; ${count} tests of the suite hold what is there`;
  return { status: 'passed', summary } as const;
}

async function runWithChange(ctx: CheckContext): Promise<readonly TestRun[]> {
  const where = { side: 'candidate' } as const;
  return [await runTestFile(ctx, where), await runValidation(ctx, where)].filter(run => run !== null);
}

/** The same questions where the change is not. */
async function judgeBase(ctx: CheckContext, withChange: readonly TestRun[]) {
  const { task, baseTree } = ctx;
  const where = { side: 'base', tree: baseTree } as const;
  const isThere = task.testFile !== null && (await ctx.ports.workspace.blobId(baseTree, task.testFile));
  // A test that the task let the agent rewrite keeps its name: as it is now it must not have passed then.
  const asked = wroteOwnTest(ctx) ? await composeReversal(ctx) : baseTree;
  const own = isThere ? await runTestFile(ctx, { ...where, tree: asked }) : null;
  const without = [own, await runValidation(ctx, where)].filter(run => run !== null);
  const isHung = own !== null && isHungOnBase(ctx, own, withChange[0]);
  if (without.some(run => run.timedOut && !(isHung && run === own)))
    return { status: 'inconclusive', summary: 'the tests ran out of time on the base' } as const;
  const lost = own && !isHung && (await getLostReason(ctx, own, asked));
  if (lost) return { ...getUnheard(own), summary: lost };
  const gone = own && withChange[0] && !wroteOwnTest(ctx) ? getGone(withChange[0], own) : [];
  if (gone.length > 0) {
    const summary = `${gone.length} of the task's own tests were not run to their end`;
    return { status: 'failed', summary, findings: gone } as const;
  }
  const unturned = await readUnturned(ctx);
  if (unturned !== null)
    return { status: 'passed', summary: BASIS[unturned], basis: BASIS[unturned] } as const;
  const greenBefore = new Set(without.flatMap(run => [...getGreen(run)]));
  const turned = withChange.flatMap(run => [...getGreen(run)]).filter(id => !greenBefore.has(id));
  if (turned.length === 0) return getVacuous(ctx);
  return {
    status: 'passed',
    summary: `${getCount(turned.length, 'test')} turned from red to green`,
  } as const;
}

/** A test that the agent wrote and that only has an exit code may hold no test at all. */
function getBlindSpot(ctx: CheckContext) {
  const { task, policy } = ctx;
  if (policy.testing.runner !== 'command' || !wroteOwnTest(ctx) || task.validation !== null) return null;
  return {
    status: 'needs-human',
    summary: `${task.testFile} was written by the agent, and only its exit code can be seen`,
    findings: [
      `commit ${task.testFile} yourself before the task runs, or give the task a validation command`,
      'or set testing.runner to one that reports its tests',
    ],
  } as const;
}

/** Tests that want a network and have none look like work that is not done. */
function getNetworkHint({ ports }: CheckContext, findings: readonly string[]): readonly string[] {
  if (!ports.hasNoTestNetwork || !findings.some(text => UNREACHED.test(text))) return [];
  return ['tests have no network here: a person can set sandbox.test_network to on'];
}

const UNREACHED =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|getaddrinfo|Network is unreachable|Name or service not known|name resolution/;

const NOTHING_SKIPPED = { aside: new Set<string>(), unknown: [] };

/** New tests that were left out with the change, where nothing tells what they would have done without it. */
function getUnreported(unknown: readonly string[]) {
  return {
    status: 'needs-human',
    summary: `${unknown.length} of the task's own tests are skipped, and nothing tells whether the change is the reason`,
    findings: unknown.map(id => `${id}: skipped; it cannot be run on the base`),
  } as const;
}

/** Everything that keeps a run from being green; what is left out without the change as well does not. */
function getRed(
  runs: readonly TestRun[],
  leftOut: ReadonlySet<string>,
): {
  problem: string | null;
  findings: string[];
  failing: readonly string[];
} {
  if (runs.length === 0)
    return { problem: 'no command is configured that could run the test file', findings: [], failing: [] };
  const findings: string[] = [];
  for (const run of runs) {
    if (run.timedOut)
      return {
        problem: `${run.command} ran out of time`,
        findings: [getTimeOutFinding(run)],
        failing: [],
      };
    if (run.reportProblem || run.results.length === 0) {
      findings.push(
        `${run.command}: ${run.reportProblem ?? 'no tests were collected'}\n${run.outputTail.slice(-1_500)}`,
      );
    }
    for (const result of run.results) {
      if (result.outcome !== 'passed' && !leftOut.has(result.id))
        findings.push(
          `${result.id}: ${result.outcome}${result.message ? ` — ${result.message.slice(0, 600)}` : ''}`,
        );
    }
  }
  return { problem: null, findings, failing: runs.flatMap(getFailing).filter(id => !leftOut.has(id)) };
}

/** Tests that did not pass; a run that gave none is one that did not. */
function getFailing({ results, command }: TestRun): readonly string[] {
  if (results.length === 0) return [command];
  return results.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => id);
}

/** Tests that are as green without the change as with it: the agent's fault where it wrote them. */
export function getVacuous(ctx: CheckContext) {
  const wroteTest = wroteOwnTest(ctx);
  const summary = 'the tests pass without the change as well: they prove nothing';
  const findings = wroteTest
    ? [`make ${ctx.task.testFile} fail on the code as it was`]
    : ['the base already satisfies this task, or its test does not test it: a person has to say which'];
  return { status: wroteTest ? 'failed' : 'needs-human', summary, findings } as const;
}

/** Tests of the task's own file that a run left out, by what became of them without the change. */
interface Skipped {
  /** Left out there as well: they have no part in the judgement. */
  readonly aside: ReadonlySet<string>;
  /** Those of which nobody can say, as the file cannot be run there and they are new. */
  readonly unknown: readonly string[];
}

/**
 * A skip that was there before is nobody's doing. Where the approved test cannot be run on the base, the file is asked
 * as it was before it was approved. What the agent wrote itself has to run.
 */
async function judgeSkipped(ctx: CheckContext, run: TestRun): Promise<Skipped> {
  const ids = run.results.filter(isLeftOut).map(({ id }) => id);
  if (ids.length === 0) return { aside: new Set(), unknown: [] };
  const base = await readOutcomes(ctx, ctx.baseTree);
  const isLoaded = base.size > 0 && ![...base.values()].includes('error');
  const isReported = isLoaded || wroteOwnTest(ctx);
  const before = isReported ? base : new Map([...(await readBefore(ctx)), ...base]);
  const isSkipped = (id: string): boolean => isLeftOut({ outcome: before.get(id) ?? 'error' });
  return {
    aside: new Set(ids.filter(isSkipped)),
    unknown: isReported ? [] : ids.filter(id => !before.has(id)),
  };
}

/** What the tests gave on the base with the file as it was before the commit that approved it. */
async function readBefore(ctx: CheckContext): Promise<ReadonlyMap<string, TestOutcome>> {
  const { task, ports, candidate, baseTree } = ctx;
  if (task.testFile === null) return new Map();
  const text = (await ports.workspace.readEarlier?.(candidate.commit, task.testFile)) ?? null;
  if (text === null) return new Map();
  const put = [{ path: task.testFile, text }];
  return readOutcomes(
    ctx,
    await ports.workspace.compose({ tree: baseTree, put }),
    'own tests of before, base',
  );
}

async function readOutcomes(
  ctx: CheckContext,
  tree: string,
  purpose = 'own tests, base',
): Promise<ReadonlyMap<string, TestOutcome>> {
  const { task, ports } = ctx;
  const isThere = task.testFile !== null && (await ports.workspace.blobId(tree, task.testFile)) !== null;
  const run = isThere ? await runTestFile(ctx, { side: 'base', tree, purpose }) : null;
  return new Map(run?.results.map(({ id, outcome }) => [id, outcome]));
}

/** Without a word of its own, too: whoever goes on has to know what never ended. */
function getTimeOutFinding({ command, outputTail }: TestRun): string {
  const output = outputTail.trim().slice(-1_000);
  return `${command} was ended before it came to its end; ${output === '' ? 'it said nothing' : `it said:\n${output}`}`;
}
