import type { TestResult, TestRun } from '../../core/model/testing.ts';
import type { Side } from '../../testruns/worktrees.ts';
import { composeReversal, hasChance } from '../shared/changed-sources.ts';
import { type CheckContext, wroteOwnTest } from '../shared/context.ts';
import { looksOnce, runTestFile, runValidation } from '../shared/own-tests.ts';
import { getUnheard, isEnvironmental, isLost } from './lost-report.ts';

/** What speaks against taking the task's own tests at their word. */
export interface OwnDoubt {
  readonly status: 'failed' | 'inconclusive' | 'needs-human';
  readonly summary: string;
  readonly findings: readonly string[];
  readonly measures?: Readonly<Record<string, number>>;
}

const FLAKY = "the task's own tests do not agree with themselves";

/** The task's own tests with the change, as they have been run already. */
export async function recallOwnTests(ctx: CheckContext): Promise<readonly TestResult[]> {
  return getResults(await runOwnTests(ctx, 'candidate', getCandidate(ctx), 0));
}

/** Tests of which it is known that they prove nothing. */
export function doubtKnown(ctx: CheckContext, own: readonly TestResult[]): OwnDoubt | null {
  const known = own.filter(({ id }) => ctx.quarantine?.has(id));
  return known.length > 0 && known.length === own.length ? getUnreliable(known) : null;
}

/** Begins the second look where it has a place of its own, ahead of what must fail there; whoever asks for it joins. */
export async function lookAgain(ctx: CheckContext): Promise<void> {
  if (!ctx.tests.isSideBySide || ctx.policy.reruns === 0 || ctx.task.testFile === null) return;
  if (await looksOnce(ctx)) return;
  const again = { side: 'candidate', repeat: 1, purpose: AGAIN.candidate, tree: ctx.candidate.tree } as const;
  runTestFile(ctx, again).catch(() => undefined);
}

const AGAIN = { candidate: 'own tests again, candidate', base: 'own tests again, base' } as const;

/**
 * The task's own tests once more, with and without the change: green by luck and red by luck both look like proof when
 * they are only looked at once. What the suite has shown of them is a second look, and costs nothing.
 */
export async function doubtOwnTests(
  ctx: CheckContext,
  first: readonly TestResult[],
  suite: TestRun | null,
): Promise<OwnDoubt | null> {
  if (ctx.policy.reruns === 0) return null;
  const isSeen = await isSeenIn(ctx, suite, first);
  const again = isSeen ? [] : await runOwnTests(ctx, 'candidate', getCandidate(ctx), 1);
  const unfinished = again.find(run => run.timedOut || run.exitCode === null);
  if (unfinished) {
    const summary = `${unfinished.command} came to an end once, and then it did not`;
    return { status: 'inconclusive', summary, findings: [] };
  }
  const lost = again.find(isLost);
  if (lost && (await isEnvironmental(ctx, lost))) return getUnheard(lost);
  const findings = isSeen ? [] : getDisagreements(first, getResults(again), 'when it was run again');
  if (findings.length > 0) return { status: 'failed', summary: FLAKY, findings };
  return doubtRed(ctx, first);
}

/** Not of tests that the agent wrote, nor of code that may be lucky twice; nor where only one of the two places was looked into. */
async function isSeenIn(
  ctx: CheckContext,
  suite: TestRun | null,
  own: readonly TestResult[],
): Promise<boolean> {
  const isOneLook = await looksOnce(ctx);
  if (suite === null || (ctx.tests.isSideBySide && !isOneLook)) return false;
  const alone = await runTestFile(ctx, { side: 'candidate' });
  // In a fresh place both may have been told what to say by that.
  if (isOneLook && (suite.isFresh || alone?.isFresh)) return false;
  if (wroteOwnTest(ctx) || (await hasChance(ctx))) return false;
  const there = getByName(suite);
  return own.filter(isGreen).every(({ id }) => there.has(id));
}

/** Tests that were green alone must be so among all others. */
export function doubtInSuite(own: readonly TestResult[], suite: TestRun): OwnDoubt | null {
  const there = getByName(suite);
  const shared = own.filter(({ id }) => there.has(id));
  const again = shared.map(({ id }) => ({ ...(there.get(id) as TestResult), id }));
  const findings = getDisagreements(shared, again, 'in the whole suite');
  return findings.length > 0 ? { status: 'failed', summary: FLAKY, findings } : null;
}

function getByName({ results }: TestRun): ReadonlyMap<string, TestResult> {
  return new Map(results.flatMap(result => getNames(result).map(name => [name, result] as const)));
}

/** Its id, and the one it has where its file is run alone: ava names the file only where there are several. */
function getNames({ id }: TestResult): readonly string[] {
  const at = id.indexOf(' › ');
  return at === -1 ? [id] : [id, id.slice(at + ' › '.length)];
}

/** What did not pass without the change must not do so just because it is asked again. */
async function doubtRed(ctx: CheckContext, own: readonly TestResult[]): Promise<OwnDoubt | null> {
  const trees = { file: await composeReversal(ctx), validation: ctx.baseTree };
  const proving = own.filter(({ id }) => !ctx.quarantine?.has(id));
  const findRed = (results: readonly TestResult[]) => {
    const green = new Set(results.filter(isGreen).map(getId));
    return proving.filter(({ id }) => !green.has(id));
  };
  const before = await runOwnTests(ctx, 'base', trees, 0);
  // A test that hangs there would do so again, for as long.
  if (before.some(({ timedOut }) => timedOut)) return null;
  const red = findRed(getResults(before));
  if (red.length === 0) return null;
  const inSuite = trees.file === ctx.baseTree ? await recallInSuite(ctx, getResults(before)) : null;
  const again = inSuite ?? getResults(await runOwnTests(ctx, 'base', trees, 1));
  if (findRed(again).length > 0) return null;
  const findings = red.map(({ id }) => `flaky: ${id} did not pass without the change, and then it did`);
  return { status: 'failed', summary: FLAKY, findings };
}

/** What the suite of the base said of the task's own tests; null where it does not know all of them. */
async function recallInSuite(
  ctx: CheckContext,
  own: readonly TestResult[],
): Promise<readonly TestResult[] | null> {
  const where = { side: 'base', tree: ctx.baseTree } as const;
  const suite = await ctx.tests.suite(where);
  const there = suite && getByName(suite);
  if (!there || own.length === 0 || !own.every(({ id }) => there.has(id))) return null;
  return own.map(({ id }) => ({ ...(there.get(id) as TestResult), id }));
}

async function runOwnTests(
  ctx: CheckContext,
  side: Side,
  trees: { readonly file: string; readonly validation: string },
  repeat: number,
): Promise<readonly TestRun[]> {
  const where = { side, repeat, ...(repeat > 0 ? { purpose: AGAIN[side] } : {}) };
  const file = await runTestFile(ctx, { ...where, tree: trees.file });
  const validation = await runValidation(ctx, { ...where, tree: trees.validation });
  return [file, validation].filter(run => run !== null);
}

function getCandidate({ candidate }: CheckContext): { readonly file: string; readonly validation: string } {
  return { file: candidate.tree, validation: candidate.tree };
}

function getDisagreements(
  first: readonly TestResult[],
  again: readonly TestResult[],
  when: string,
): readonly string[] {
  const later = new Map(again.map(result => [result.id, result]));
  return first.filter(isGreen).flatMap(({ id }) => {
    const result = later.get(id);
    if (result?.outcome === 'passed') return [];
    const why = result?.message ? ` — ${result.message.slice(0, 600)}` : '';
    return [`flaky: ${id} passed, and ${when} it was ${result?.outcome ?? 'gone'}${why}`];
  });
}

function getUnreliable(known: readonly TestResult[]): OwnDoubt {
  return {
    status: 'needs-human',
    summary: 'the tests that should prove this task are in quarantine: they prove nothing',
    findings: known.map(({ id }) => `flaky: ${id} has given both outcomes on the same bytes`),
  };
}

function getId({ id }: TestResult): string {
  return id;
}

function isGreen({ outcome }: TestResult): boolean {
  return outcome === 'passed';
}

function getResults(runs: readonly TestRun[]): readonly TestResult[] {
  return runs.flatMap(run => run.results);
}
