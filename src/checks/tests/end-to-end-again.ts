import type { Observation } from '../../core/model/facts.ts';
import type { EndToEndPolicy } from '../../core/model/policy.ts';
import type { TestRun } from '../../core/model/testing.ts';
import { isFlaky, judgeLost } from '../../core/state/suite.ts';
import type { Side } from '../../testruns/worktrees.ts';
import { type CheckContext, getTree } from '../shared/context.ts';
import { getRed, getTrouble, runEndToEnd, WHOLE } from './end-to-end-runs.ts';

interface Suspect {
  readonly id: string;
  readonly candidate: Observation[];
  readonly base: Observation[];
}

/**
 * Looks at suspects again on both sides before a red is believed: browsers have their moods. Tests of this kind use all
 * there is, so that what they opened says nothing of who is to blame; more red than green is the change's doing. None of
 * them is put into quarantine: what lets a test out again is a suite that it is not in.
 */
export async function seeAgain(
  ctx: CheckContext,
  settings: EndToEndPolicy,
  ids: readonly string[],
  first: { readonly before: TestRun; readonly after: TestRun },
): Promise<{ readonly worse: readonly string[]; readonly flaky: number }> {
  const suspects = ids.map((id): Suspect => ({ id, candidate: [], base: [] }));
  const note = (side: Side, run: TestRun) => {
    if (getTrouble(run) !== null) return;
    const seen = { tree: getTree(ctx, side), command: run.command, atMs: ctx.ports.clock.nowMs() };
    for (const suspect of suspects) suspect[side].push({ ...seen, outcome: getOutcome(run, suspect.id) });
  };
  note('candidate', first.after);
  note('base', first.before);
  const isSteady = ({ candidate, base }: Suspect) => !isFlaky(candidate) && !isFlaky(base);
  for (const side of ['candidate', 'base'] as const)
    for (let repeat = 1; repeat <= ctx.policy.reruns && suspects.some(isSteady); repeat++)
      note(side, await runEndToEnd(ctx, settings, side, repeat));
  const judged = suspects.map(suspect => ({ suspect, outcome: judgeLost(suspect, isMostlyRed(suspect)) }));
  const worse = judged.filter(({ outcome }) => outcome !== 'flaky').map(({ suspect }) => suspect.id);
  return { worse, flaky: ids.length - worse.length };
}

function isMostlyRed({ candidate }: Suspect): boolean {
  const green = candidate.filter(({ outcome }) => outcome === 'passed').length;
  return green * 2 < candidate.length;
}

function getOutcome(run: TestRun, id: string): Observation['outcome'] {
  if (id === WHOLE) return getRed(run).has(WHOLE) ? 'failed' : 'passed';
  return run.results.find(result => result.id === id)?.outcome ?? 'gone';
}
