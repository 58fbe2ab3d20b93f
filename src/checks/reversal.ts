import { getCount } from '../core/base/text.ts';
import type { TestResult, TestRun } from '../core/model/testing.ts';
import { getRedReason } from '../core/testing/red-reason.ts';
import { getVacuous } from './fail-to-pass.ts';
import { composeReversal } from './shared/changed-sources.ts';
import { defineCheck, wroteOwnTest } from './shared/context.ts';
import { getGone, getGreen, runTestFile } from './shared/own-tests.ts';
import { getLostReason, getUnheard, isHungOnBase } from './tests/lost-report.ts';
import { readUnturned } from './tests/unturned.ts';

/**
 * The candidate's tests against the base's source: at least one of the task's own goes red there, and
 * for a reason that has to do with the code, so that it was the change that turned it green.
 */
export const reversal = defineCheck('reversal', async ctx => {
  const withChange = await runTestFile(ctx, { side: 'candidate' });
  if (withChange === null) return { status: 'skipped', summary: 'no test file can be run alone' };
  const tree = await composeReversal(ctx);
  const without = await runTestFile(ctx, { side: 'base', tree, purpose: 'own tests, reversal' });
  const isHung = without !== null && isHungOnBase(ctx, without, withChange);
  if (without === null || (without.timedOut && !isHung))
    return { status: 'inconclusive', summary: 'the tests ran out of time without the change' };
  const commands = [without.command];
  if (isHung) {
    const summary = 'the approved test comes to no end without the change, and to a quick one with it';
    return { status: 'passed', summary, commands };
  }
  const lost = await getLostReason(ctx, without, tree);
  if (lost) return { ...getUnheard(without), summary: lost, commands };
  const gone = getGone(withChange, without);
  if (gone.length > 0) {
    const summary = `${gone.length} of the task's own tests were not run to their end`;
    return { status: 'failed', summary, findings: gone, commands };
  }
  if ((await readUnturned(ctx)) !== null)
    return {
      status: 'passed',
      summary: 'as green without the change: something else has to hold it',
      commands,
    };
  const red = getTurned(withChange, without);
  if (red.length === 0) return { ...getVacuous(ctx), commands };
  const added = ctx.changes.filter(change => change.kind !== 'deleted').map(change => change.path);
  const reasons = red.map(result => ({ id: result.id, ...getRedReason(result, added) }));
  const wroteTest = wroteOwnTest(ctx);
  // An approved test that waits in vain without the change and not with it is red for want of it, as one that hangs is.
  const honest = reasons.filter(({ isHonest, kind }) => isHonest || (kind === 'time-out' && !wroteTest));
  if (honest.length > 0) {
    const summary = `${getCount(honest.length, 'test')} red without the change, for a reason that it removes`;
    return { status: 'passed', summary, commands };
  }
  return {
    status: wroteTest ? 'failed' : 'needs-human',
    summary: wroteTest
      ? 'without the change the tests fail, but not because of what it does'
      : 'the approved test cannot fail honestly',
    findings: reasons.slice(0, 20).map(({ id, kind, line }) => `${id}: ${WORDS[kind] ?? kind}: ${line}`),
    commands,
  };
});

const WORDS: Readonly<Record<string, string>> = {
  dependency: 'a package is missing there',
  syntax: 'the file cannot be parsed',
  'time-out': 'its time ran out',
  collection: 'no test was found',
};

/** What is red without the change; where a file could not even be loaded, its one error stands for all. */
function getTurned(withChange: TestRun, without: TestRun): readonly TestResult[] {
  const green = getGreen(without);
  const turned = [...getGreen(withChange)].filter(id => !green.has(id));
  if (turned.length === 0) return [];
  const red = without.results.filter(result => result.outcome === 'failed' || result.outcome === 'error');
  if (red.length > 0) return red;
  const message = `${without.reportProblem ?? ''}\n${without.outputTail}`.trim();
  return [{ id: without.command, outcome: 'error', message }];
}
