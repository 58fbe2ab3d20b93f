import { canScan } from '../core/code/imports.ts';
import type { CheckResult } from '../core/model/check.ts';
import { getTestFile, isExample, type TestResult, type TestRun } from '../core/model/testing.ts';
import { isFlaky, judgeLost } from '../core/state/suite.ts';
import { hasChance } from './shared/changed-sources.ts';
import { type CheckContext, defineCheck } from './shared/context.ts';
import { readTouched } from './shared/impact.ts';
import { looksOnce } from './shared/own-tests.ts';
import { readSideFiles } from './shared/read-judge-files.ts';
import { findBrokenQuarantined, judgeBaseVersions, judgeWritten, mayBeGone } from './tests/hidden-damage.ts';
import { findLikelyFailures, type LikelyFailures, noteFailures } from './tests/likely-failures.ts';
import { getUnheard, isLost, isSuiteLostOnBase } from './tests/lost-report.ts';
import { doubtInSuite, doubtKnown, doubtOwnTests, lookAgain, recallOwnTests } from './tests/own-stability.ts';
import { type Held, holdLanded } from './tests/regression-set.ts';
import { rerunRegressions, type Suspect } from './tests/rerun-regressions.ts';

/**
 * Every test that passed on the base still passes; what failed before never blocks, what is new always
 * does. Where runs disagree they are made again: what is flaky neither blocks nor proves.
 */
export const passToPass = defineCheck('pass-to-pass', async ctx => {
  const suite = await holdSuite(ctx);
  if (suite.status !== 'passed' || !ctx.landed?.length) return suite;
  return addLanded(suite, await holdLanded(ctx));
});

type Body = Pick<CheckResult, 'status' | 'summary'> & Partial<CheckResult>;

/** What proved landed tasks and is not in the suite belongs to what may not get worse. */
function addLanded(suite: Body, held: Held): Body {
  const { findings, hidden, failing, timedOut, left, tasks } = held;
  const commands = [...(suite.commands ?? []), ...held.commands];
  const count = findings.length === 1 ? 'one proof' : `${findings.length} proofs`;
  if (findings.length > 0)
    return { status: 'failed', summary: `${count} of landed tasks got worse`, findings, failing, commands };
  if (hidden.length > 0) {
    const summary = 'a test of a landed task that no agent has seen fails';
    return { status: 'failed', summary, findings: hidden, commands, private: true };
  }
  if (timedOut.length > 0) {
    const summary = `what proved a landed task ran out of time: ${timedOut[0]}`;
    return { status: 'inconclusive', summary, commands, measures: { timedOut: timedOut.length } };
  }
  const rest = left > 0 ? `, ${left} left for the look at everything` : '';
  const named = tasks === 1 ? 'one landed task' : `${tasks} landed tasks`;
  const summary = `${suite.summary}; what proved ${named} holds${rest}`;
  return { ...suite, summary, commands, ...(left > 0 ? { measures: { left } } : {}) };
}

async function holdSuite(ctx: CheckContext): Promise<Body> {
  const where = { side: 'candidate', tree: ctx.candidate.tree } as const;
  const begun = (await looksOnce(ctx)) ? ctx.tests.suite(where) : null;
  // Told to whoever waits for it below, if anybody does.
  begun?.catch(() => undefined);
  const own = await recallOwnTests(ctx);
  const known = doubtKnown(ctx, own);
  if (known) return known;
  await lookAgain(ctx);
  const early = begun === null ? await findLikelyFailures(ctx) : null;
  if (early) return getEarlyEnd(ctx, early);
  const run = await (begun ?? ctx.tests.suite(where));
  if (run === null) {
    const doubt = await doubtOwnTests(ctx, own, null);
    return doubt ?? { status: 'passed', summary: 'no test suite is configured: nothing could regress' };
  }
  const commands = [run.command];
  if (run.timedOut) {
    const measures = { timedOut: 1 };
    return { status: 'inconclusive', summary: 'the test suite ran out of time', commands, measures };
  }
  if (isLost(run) && (await isSuiteLostOnBase(ctx, run))) return { ...getUnheard(run), commands };
  if (run.reportProblem) {
    const findings = [run.outputTail.slice(-1_500)];
    const summary = `the test suite gave no report: ${run.reportProblem}`;
    return { status: 'failed', summary, findings, commands };
  }
  const unsteady = doubtInSuite(own, run) ?? (await doubtOwnTests(ctx, own, run));
  if (unsteady) return { ...unsteady, commands };
  const worst = await findWorst(ctx, run);
  const { findings, flaky, failing } = await judgeSuite(ctx, worst);
  if (findings.length > 0) {
    const summary =
      failing.length > 0 ? `${findings.length} tests got worse` : `${findings.length} things got worse`;
    return { status: 'failed', summary, findings: findings.slice(0, 50), failing, commands };
  }
  const broken = await findBrokenQuarantined(ctx, worst);
  if (broken.length > 0) {
    const summary = `${broken.length} tests in quarantine are red for good with the change`;
    return { status: 'needs-human', summary, findings: broken, commands };
  }
  const passed = run.results.filter(result => result.outcome === 'passed').length;
  const aside = flaky > 0 ? `, ${flaky} flaky ones left aside` : '';
  return { status: 'passed', summary: `${passed} tests pass, none got worse${aside}`, commands };
}

/** Where one green run may be luck, the first that is not is the one to judge. */
async function findWorst(ctx: CheckContext, run: TestRun): Promise<TestRun> {
  const { baseline, candidate } = ctx;
  if (getLost(baseline.passing, run.results).length > 0) return run;
  const repeats = await getRepeats(ctx, run);
  for (let repeat = 1; repeat <= repeats; repeat++) {
    const where = { side: 'candidate', tree: candidate.tree, repeat } as const;
    const again = await ctx.tests.suite({ ...where, purpose: 'suite again, candidate' });
    if (!again || again.timedOut || again.reportProblem) continue;
    if (getLost(baseline.passing, again.results).length > 0) return again;
  }
  return run;
}

/** A suite that is over sooner than this is asked more often: chance of one in two is hardly ever lucky so many times. */
const SHORT_SUITE_MS = 2_000;
const SHORT_REPEATS = 6;

async function getRepeats(ctx: CheckContext, { durationMs }: TestRun): Promise<number> {
  const { reruns } = ctx.policy;
  if (reruns === 0) return 0;
  const isShort = durationMs <= SHORT_SUITE_MS;
  if (await hasChance(ctx)) return isShort ? Math.max(reruns, SHORT_REPEATS) : reruns;
  return isShort && (await isFoundByData(ctx)) ? SHORT_REPEATS : 0;
}

/** Whether tests use a program that was changed and that neither their imports nor a build leads to: they start it by a name. */
async function isFoundByData(ctx: CheckContext): Promise<boolean> {
  const { changes, baseTree, task, policy } = ctx;
  const before = await ctx.tests.suite({ side: 'base', tree: baseTree });
  const opened = new Set(before?.opened);
  const used = changes.map(({ path }) => path).filter(path => canScan(path) && opened.has(path));
  if (used.length === 0) return false;
  const { judge } = await readSideFiles(ctx, 'base');
  // A file that only the work brings is not a built one.
  if (judge.isOfBuilt && (await readSideFiles(ctx, 'candidate')).judge.isOfBuilt) return false;
  // Without a report the other tests are not known by name: they are taken to lie near the task's own.
  const near = policy.testing.runner === 'command' && task.testFile ? getTopFolder(task.testFile) : '';
  const isTest = (path: string) => judge.tests.has(path) || (near !== '' && path.startsWith(near));
  return used.some(path => !judge.isOfTests(path) && !judge.getAllUsers(path).some(isTest));
}

/** With its slash; nothing for what lies at the top. */
function getTopFolder(path: string): string {
  return path.slice(0, path.indexOf('/') + 1);
}

interface Judgement {
  readonly findings: readonly string[];
  /** How many tests were left aside. */
  readonly flaky: number;
  /** Ids of tests that passed on the base and do not any more. */
  readonly failing: readonly string[];
}

async function judgeSuite(ctx: CheckContext, run: TestRun): Promise<Judgement> {
  const { baseline, quarantine } = ctx;
  const counts = (id: string) => !quarantine?.has(id);
  const now = new Map(run.results.map(result => [result.id, result]));
  const lost = getLost(baseline.passing.filter(counts), run.results);
  const renamed = getRenamedExamples(ctx, lost, run);
  const kept = lost.filter(id => now.has(id) || !(mayBeGone(ctx, id) || renamed.has(id)));
  const suspects = await rerunRegressions(ctx, kept, run);
  const isTouched = await readIsTouched(ctx, suspects);
  const judged = suspects.map(suspect => ({ suspect, outcome: judgeLost(suspect, isTouched(suspect)) }));
  const worse = judged.filter(({ outcome }) => outcome !== 'flaky').map(({ suspect }) => suspect.id);
  await noteFailures(ctx, worse);
  const flaky = judged.filter(({ outcome }) => outcome === 'flaky').map(({ suspect }) => suspect);
  ctx.tests.noteFlaky(flaky.map(({ id, candidate, base }) => ({ id, evidence: [...base, ...candidate] })));
  const plain = [
    ...judged.flatMap(({ suspect, outcome }) => {
      if (outcome === 'flaky') return [];
      const what = describe(now.get(suspect.id));
      return [outcome === 'regression' ? getRegression(suspect.id, what) : getMadeFlaky(suspect, what)];
    }),
    ...getNewFailures(
      baseline.failing,
      baseline.passing,
      run.results.filter(({ id }) => counts(id)),
    ),
  ];
  // Further runs have nothing to add to a regression that is there for all to see.
  const findings =
    plain.length > 0 ? plain : [...(await judgeBaseVersions(ctx)), ...(await judgeWritten(ctx, run))];
  const known = [...baseline.passing, ...baseline.failing].filter(id => !counts(id)).length;
  const failing = judged.filter(({ outcome }) => outcome !== 'flaky').map(({ suspect }) => suspect.id);
  return { findings, flaky: flaky.length + known, failing };
}

/** Examples in comments bear the name of their function: one that is gone is there under another if as many are new. */
function getRenamedExamples(
  { changes, baseline }: CheckContext,
  lost: readonly string[],
  { results }: TestRun,
): ReadonlySet<string> {
  const changed = new Set(changes.map(({ path }) => path));
  const isOfChange = (id: string) => isExample(id) && changed.has(getTestFile(id));
  const now = new Set(results.map(({ id }) => id));
  const known = new Set([...baseline.passing, ...baseline.failing]);
  const gone = lost.filter(id => !now.has(id) && isOfChange(id));
  const fresh = results.filter(({ id, outcome }) => outcome === 'passed' && !known.has(id) && isOfChange(id));
  return new Set(gone.length <= fresh.length ? gone : []);
}

/** Whether a test used what was changed: its file opened it when it was run alone, or its imports lead there. */
async function readIsTouched(
  ctx: CheckContext,
  suspects: readonly Suspect[],
): Promise<(suspect: Suspect) => boolean> {
  const touched = suspects.some(({ candidate }) => isFlaky(candidate)) ? await readTouched(ctx) : null;
  return ({ id, opened }) =>
    ctx.changes.some(({ path }) => opened.has(path)) || (touched?.has(getTestFile(id)) ?? true);
}

function getLost(passing: readonly string[], results: readonly TestResult[]): string[] {
  const green = new Set(results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  return passing.filter(id => !green.has(id));
}

function getNewFailures(
  failing: readonly string[],
  passing: readonly string[],
  results: readonly TestResult[],
): string[] {
  const known = new Set([...failing, ...passing]);
  return results
    .filter(result => (result.outcome === 'failed' || result.outcome === 'error') && !known.has(result.id))
    .map(result => `${result.id} is new and ${describe(result)}`);
}

/** Tests that are known to be broken before the suite has even been started. */
async function getEarlyEnd(ctx: CheckContext, { broken, run }: LikelyFailures) {
  await noteFailures(ctx, broken);
  const now = new Map(run.results.map(result => [result.id, result]));
  const findings = broken.slice(0, 50).map(id => getRegression(id, describe(now.get(id))));
  const summary = `${broken.length} tests got worse; the rest of the suite was not run`;
  return { status: 'failed', summary, findings, commands: [run.command] } as const;
}

function getRegression(id: string, what: string): string {
  return `${id} passed before and is now ${what}`;
}

function getMadeFlaky({ id, candidate }: Suspect, what: string): string {
  const green = candidate.filter(({ outcome }) => outcome === 'passed').length;
  const count = `${green} of ${candidate.length} times`;
  return `flaky: ${id} passes on the base, and with the change only ${count} (${what})`;
}

function describe(result: TestResult | undefined): string {
  if (!result) return 'gone';
  return result.message ? `${result.outcome} — ${result.message.slice(0, 600)}` : result.outcome;
}
