import { getFreeSlot } from '../core/decide/slot.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import type { Baseline, TestRun } from '../core/model/testing.ts';
import { isAllLanded } from '../core/state/regression.ts';
import { isRedForAll, type MarkedRed } from '../core/state/suite.ts';
import { findMarkedRed, findRegressions, saysNothing } from '../testruns/find-regressions.ts';
import { openTests, type StepContext, type StepResult } from './step.ts';

/** Far above what attempts use, so that workers who look at the same time do not share a tree. */
const FIRST_SHARED_SLOT = 500;

/**
 * The look at everything: the whole suite at the tip, and all that proved a landed task beside it. What a later
 * change broke is opened again; red tests that nobody answers for are told as they are.
 */
export async function checkAll(ctx: StepContext): Promise<StepResult> {
  const { workspace } = ctx.ports;
  const { commit, tree } = await workspace.tip();
  const { ports, policy, state, signal } = ctx;
  const tests = openTests(ctx, getSlot(ctx));
  const { baseline, run } = await tests.baseline(tree);
  signal.throwIfAborted();
  const { found, unfinished } = await findRegressions(
    { ports, policy, state, tests },
    { commit, tree },
    baseline,
  );
  const facts = [
    ...getMeasured(ctx, baseline, run),
    ...found.map(one => ({ type: 'task.reopened', ...one }) as const),
  ];
  const { passing, failing } = baseline;
  const counts = { passing: passing.length, failing: failing.length };
  const marked = await findMarkedRed({ ports, policy, state, tests }, { commit, tree }, baseline);
  // What a task answers for is open again with it.
  const broken =
    found.length > 0
      ? []
      : [...new Set([...getBroken(ctx, baseline, run), ...getNames(ctx, marked), ...unfinished])];
  return { events: [...facts, { type: 'project.checked', commit, tree, ...counts, broken, marked }] };
}

/** Only where nothing is left to do; before that, somebody may be at work on it. */
function getNames({ state }: StepContext, marked: readonly MarkedRed[]): readonly string[] {
  return isAllLanded(state)
    ? marked.flatMap(({ tests }) => tests).filter(id => isRedForAll(state.suite, id))
    : [];
}

function getSlot({ policy, state, ports }: StepContext): number {
  if (policy.exclusive) return getFreeSlot(state);
  return FIRST_SHARED_SLOT + [...state.workers.keys()].sort().indexOf(ports.workers.self.id);
}

function getMeasured({ state }: StepContext, baseline: Baseline, run: TestRun | null): HarnessEvent[] {
  const { tree, passing, failing } = baseline;
  if (!run || saysNothing(run) || state.suite.baseline?.tree === tree) return [];
  return [{ type: 'baseline.measured', tree, command: run.command, passing, failing }];
}

function getBroken({ state }: StepContext, { failing }: Baseline, run: TestRun | null): readonly string[] {
  if (run && saysNothing(run))
    return [`${run.command}: ${run.reportProblem ?? (run.timedOut ? 'ran out of time' : 'did not start')}`];
  const red = failing.filter(id => isRedForAll(state.suite, id));
  // With nothing left to do, no red test waits for anybody: one that was red all along is red.
  if (isAllLanded(state)) return red;
  // Red once is red until it is green again: a commit in between measures the suite anew, and mends nothing.
  const passed = new Set([...(state.suite.baseline?.passing ?? []), ...(state.suite.checked?.broken ?? [])]);
  return red.filter(id => passed.has(id));
}
