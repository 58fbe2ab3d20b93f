import type { GitWorkspace } from '../../adapters/git/workspace.ts';
import type { HarnessEvent } from '../../core/events/event.ts';
import type { State } from '../../core/state/state.ts';
import { createSuite, getNewlyRed, setBaseline } from '../../core/state/suite.ts';
import { findRegressions, saysNothing, seeRedAgain } from '../../testruns/find-regressions.ts';
import { TestRuns } from '../../testruns/test-runs.ts';
import { openProofPorts } from '../project/open-ports.ts';
import type { Project } from '../project/open-project.ts';
import { takeVerifySlot } from '../project/verify-slot.ts';
import { getWatch, type Watch } from '../project/watch.ts';

interface Commit {
  readonly commit: string;
  readonly tree: string;
}

export interface MeasuredByHand {
  /** What was seen at the tip; null where no suite says anything. */
  readonly tests: { readonly passing: number; readonly failing: number } | null;
  /** What passed where the person began, and fails now. */
  readonly red: readonly string[];
  /** Landed tasks whose proof no longer holds. */
  readonly reopened: readonly string[];
  readonly events: readonly HarnessEvent[];
}

/**
 * The suite at the tip against the suite where a person began: what turned red meanwhile is known as such, before an
 * agent is paid to go on from there.
 */
export async function measureByHand(
  project: Project,
  { state, base, tip }: { readonly state: State; readonly base: Commit; readonly tip: Commit },
  watch: Watch,
): Promise<MeasuredByHand> {
  const { policy } = project;
  const { reporter, signal } = getWatch(watch);
  const ports = await openProofPorts(project, { reporter });
  const { slot, release } = takeVerifySlot((ports.workspace as GitWorkspace).home);
  try {
    const open = [...state.tasks.values()].filter(({ status }) => status !== 'landed');
    const awaited = open.flatMap(({ def }) => def.testFile ?? []);
    const tests = new TestRuns({ ports, policy, slot, signal, awaited });
    const now = await tests.baseline(tip.tree);
    if (now.run === null || saysNothing(now.run)) return { tests: null, red: [], reopened: [], events: [] };
    const before = await tests.baseline(base.tree);
    const isKnown = before.run === null || saysNothing(before.run) || base.tree === tip.tree;
    const looks = isKnown ? [now] : [before, now];
    const suite = {
      ...createSuite(),
      ...state.suite,
      quarantine: new Map(),
      tolerated: new Set(state.suite.tolerated),
    };
    if (!isKnown) setBaseline(suite, before.baseline, state.sessions, 0);
    const look = { ports, policy, tests };
    const seen = await seeRedAgain(
      look,
      { tree: tip.tree, run: now.run },
      getNewlyRed({ ...suite, quarantine: state.suite.quarantine }, now.baseline.failing),
    );
    const { found } = await findRegressions(
      { ...look, state },
      tip,
      now.baseline,
      policy.regression.budgetMs,
    );
    const { command } = now.run;
    const measured = looks.map(
      ({ baseline: { tree, passing, failing } }) =>
        ({ type: 'baseline.measured', tree, command, passing, failing }) as const,
    );
    const { passing, failing } = now.baseline;
    return {
      tests: { passing: passing.length, failing: failing.length },
      red: seen.red,
      reopened: found.map(({ task }) => task),
      events: [...measured, ...seen.flaky, ...found.map(one => ({ type: 'task.reopened', ...one }) as const)],
    };
  } finally {
    release();
  }
}
