import type { TestResult, TestRun } from '../core/testing.ts';
import { composeReversal } from './changed-sources.ts';
import type { CheckContext } from './context.ts';
import { getUnheard, isEnvironmental, isLost } from './lost-report.ts';
import { runTestFile, runValidation } from './own-tests.ts';
import type { Side } from './test-runs.ts';

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

/**
 * The task's own tests once more, with and without the change: green by luck and red by luck both look
 * like proof when they are only looked at once.
 */
export async function doubtOwnTests(
  ctx: CheckContext,
  first: readonly TestResult[],
): Promise<OwnDoubt | null> {
  const known = first.filter(({ id }) => ctx.quarantine?.has(id));
  if (known.length > 0 && known.length === first.length) return getUnreliable(known);
  if (ctx.policy.reruns === 0) return null;
  const again = await runOwnTests(ctx, 'candidate', getCandidate(ctx), 1);
  const unfinished = again.find(run => run.timedOut || run.exitCode === null);
  if (unfinished) {
    const summary = `${unfinished.command} came to an end once, and then it did not`;
    return { status: 'inconclusive', summary, findings: [] };
  }
  const lost = again.find(isLost);
  if (lost && (await isEnvironmental(ctx, lost))) return getUnheard(lost);
  const findings = getDisagreements(first, getResults(again), 'when it was run again');
  if (findings.length > 0) return { status: 'failed', summary: FLAKY, findings };
  return doubtRed(ctx, first);
}

/** Tests that were green alone must be so among all others. */
export function doubtInSuite(own: readonly TestResult[], suite: TestRun): OwnDoubt | null {
  const there = new Map(
    suite.results.flatMap(result => getNames(result).map(name => [name, result] as const)),
  );
  const shared = own.filter(({ id }) => there.has(id));
  const again = shared.map(({ id }) => ({ ...(there.get(id) as TestResult), id }));
  const findings = getDisagreements(shared, again, 'in the whole suite');
  return findings.length > 0 ? { status: 'failed', summary: FLAKY, findings } : null;
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
  const findRed = async (repeat: number) => {
    const green = new Set(
      getResults(await runOwnTests(ctx, 'base', trees, repeat))
        .filter(isGreen)
        .map(getId),
    );
    return proving.filter(({ id }) => !green.has(id));
  };
  // A test that hangs there would do so again, for as long.
  if ((await runOwnTests(ctx, 'base', trees, 0)).some(({ timedOut }) => timedOut)) return null;
  const red = await findRed(0);
  if (red.length === 0 || (await findRed(1)).length > 0) return null;
  const findings = red.map(({ id }) => `flaky: ${id} did not pass without the change, and then it did`);
  return { status: 'failed', summary: FLAKY, findings };
}

async function runOwnTests(
  ctx: CheckContext,
  side: Side,
  trees: { readonly file: string; readonly validation: string },
  repeat: number,
): Promise<readonly TestRun[]> {
  const where = { side, repeat, ...(repeat > 0 ? { purpose: `own tests again, ${side}` } : {}) };
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
