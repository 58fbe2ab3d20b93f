import { matchesAny } from '../../core/base/glob.ts';
import { canScan } from '../../core/code/imports.ts';
import { getTestFile, type TestRun } from '../../core/model/testing.ts';
import { readIsTest } from '../shared/changed-sources.ts';
import type { CheckContext } from '../shared/context.ts';
import { getGreen } from '../shared/own-tests.ts';
import { type Look, openLook, type Suspect } from './rerun-regressions.ts';

/**
 * The tests of the base alone, as the base has them, against the candidate's source: what passed there must
 * pass here without help from a test that came with the change. One line for each that does not.
 */
export async function judgeBaseVersions(ctx: CheckContext): Promise<readonly string[]> {
  const files = await findBrought(ctx);
  const expected = ctx.baseline.passing.filter(id => !ctx.quarantine?.has(id) && !mayBeGone(ctx, id));
  if (expected.length === 0 || files.length === 0) return [];
  const take = [{ from: ctx.baseTree, paths: files }];
  const tree = await ctx.ports.workspace.compose({ tree: ctx.candidate.tree, take });
  let lost: readonly string[] = expected;
  for (let repeat = 0; repeat <= ctx.policy.reruns && lost.length > 0; repeat++) {
    const green = await findGreen(ctx, tree, repeat);
    lost = lost.filter(id => !green.has(id));
  }
  const isRewritten = (id: string) => files.includes(getTestFile(id));
  return lost.map(id =>
    isRewritten(id)
      ? `${id}, as it was on the base, no longer passes`
      : `${id} no longer passes where only the base's tests are run`,
  );
}

/** Whether a test may be gone: the task says that its file may change, and it was changed. */
export function mayBeGone(ctx: CheckContext, id: string): boolean {
  const file = getTestFile(id);
  return matchesAny(file, ctx.task.mayChange) && ctx.changes.some(change => change.path === file);
}

/** Test files that came with the change, or were changed, without the task's leave. */
async function findBrought(ctx: CheckContext): Promise<readonly string[]> {
  const isTest = await readIsTest(ctx);
  const changed = ctx.changes.map(({ path }) => path);
  return changed.filter(path => isTest(path) && !matchesAny(path, ctx.task.mayChange));
}

async function findGreen(ctx: CheckContext, tree: string, repeat: number): Promise<ReadonlySet<string>> {
  const purpose = "base's own tests, candidate";
  const run = await ctx.tests.suite({ side: 'candidate', tree, purpose, repeat });
  return run ? getGreen(run) : new Set();
}

/** So often must a test in quarantine be red with the change, without one yes, to be called broken. */
const LOOKS = 6;

/**
 * Tests in quarantine that are red for good with the change, and are green more often than not without it. They
 * cannot speak for themselves any more, so a person is asked. One line for each.
 */
export async function findBrokenQuarantined(ctx: CheckContext, run: TestRun): Promise<readonly string[]> {
  const green = getGreen(run);
  const isRed = (id: string) => ctx.quarantine?.has(id) === true && !green.has(id);
  const red = ctx.baseline.passing.filter(id => isRed(id) && run.results.some(result => result.id === id));
  if (red.length === 0 || ctx.policy.reruns === 0) return [];
  const suspects = red.map((id): Suspect => ({ id, candidate: [], base: [], opened: new Set() }));
  const look = await openLook(ctx, suspects);
  const isNeverGreen = (one: Suspect) => countGreen(one, 'candidate') === 0;
  await lookOften(look, 'candidate', () => suspects.some(isNeverGreen));
  if (!suspects.some(isNeverGreen)) return [];
  await lookOften(look, 'base', () => true);
  return suspects
    .filter(one => isNeverGreen(one) && countGreen(one, 'base') * 2 > one.base.length)
    .map(one => {
      const before = `${countGreen(one, 'base')} of ${one.base.length}`;
      return `${one.id} is in quarantine: with the change it passed 0 of ${one.candidate.length} times, without it ${before}`;
    });
}

async function lookOften(look: Look, side: 'candidate' | 'base', isOpen: () => boolean): Promise<void> {
  for (let repeat = 0; repeat < LOOKS && isOpen(); repeat++) await look(side, repeat);
}

function countGreen(suspect: Suspect, side: 'candidate' | 'base'): number {
  return suspect[side].filter(({ outcome }) => outcome === 'passed').length;
}

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
