import type { Observation } from '../../core/model/facts.ts';
import { getTestFile, type TestResult, type TestRun } from '../../core/model/testing.ts';
import { isFlaky } from '../../core/state/suite.ts';
import { getFeatureCommand } from '../../core/testing/test-command.ts';
import { getSuiteInputs, type WantedRun } from '../../testruns/run-cache.ts';
import type { Side } from '../../testruns/worktrees.ts';
import type { CheckContext } from '../shared/context.ts';

/** Of very many broken files a few are enough to see that they are broken. */
const MAX_FILES = 6;

/** A test under suspicion, and everything seen of it on both sides. */
export interface Suspect {
  readonly id: string;
  readonly candidate: Observation[];
  readonly base: Observation[];
  /** What its file opened when it was run alone, on either side; empty where nobody could see it. */
  readonly opened: Set<string>;
}

/**
 * Looks again at tests that passed on the base and not on the candidate, on both sides, until it is known
 * whether they are steady or one of them has turned out to be broken for good. Files are run alone where
 * that can be done; what passes alone and failed among the others is asked again among the others, because
 * only the same question can be answered twice.
 */
export async function rerunRegressions(
  ctx: CheckContext,
  lost: readonly string[],
  suite: TestRun,
): Promise<readonly Suspect[]> {
  const { reruns } = ctx.policy;
  const suspects = lost.map(id => openSuspect(ctx, id, suite));
  if (reruns === 0 || suspects.length === 0) return suspects;
  const alone = await getFileRuns(ctx, suspects);
  const look = createLook(ctx, suspects);
  await lookAlone(ctx, look, alone);
  if (suspects.some(suspect => isBrokenAlone(suspect, suite.command))) return suspects;
  const times = Array.from({ length: reruns }, (_, i) => i + 1);
  for (const repeat of times) if (suspects.some(isSteady)) await look('candidate', 'suite', repeat);
  if (suspects.some(isSteady)) await look('base', 'suite', 1);
  if (suspects.some(isSteady)) return suspects;
  const isLate = ({ base }: Suspect) => !isFlaky(base);
  for (const repeat of times) if (suspects.some(isLate)) await look('base', alone, reruns - 1 + repeat);
  for (const repeat of times) if (suspects.some(isLate)) await look('base', 'suite', repeat);
  return suspects;
}

/** Those of some red tests that are red for good when their file is run alone, and green so on the base. */
export async function findBroken(ctx: CheckContext, lost: readonly string[]): Promise<readonly string[]> {
  const suspects = lost.map((id): Suspect => ({ id, candidate: [], base: [], opened: new Set() }));
  if (ctx.policy.reruns === 0 || suspects.length === 0) return [];
  await lookAlone(ctx, createLook(ctx, suspects), await getFileRuns(ctx, suspects));
  return suspects.filter(suspect => isBrokenAlone(suspect, null)).map(({ id }) => id);
}

async function lookAlone({ policy }: CheckContext, look: LookAt, alone: readonly Run[]): Promise<void> {
  for (const side of ['candidate', 'base'] as const) {
    for (let repeat = 0; repeat < policy.reruns; repeat++) await look(side, alone, repeat);
  }
}

function openSuspect(ctx: CheckContext, id: string, suite: TestRun): Suspect {
  const { command } = suite;
  const atMs = ctx.ports.clock.nowMs();
  return {
    id,
    candidate: [{ tree: ctx.candidate.tree, command, outcome: getOutcome(suite.results, id), atMs }],
    base: [{ tree: ctx.baseTree, command, outcome: 'passed', atMs }],
    opened: new Set(),
  };
}

function isSteady({ candidate, base }: Suspect): boolean {
  return !isFlaky(candidate) && !isFlaky(base);
}

/** Never green alone with the change, and green alone without it: nothing else need be known. */
function isBrokenAlone(suspect: Suspect, suiteCommand: string | null): boolean {
  const { candidate, base } = suspect;
  const alone = (seen: readonly Observation[]) => seen.filter(({ command }) => command !== suiteCommand);
  const isGreen = ({ outcome }: Observation) => outcome === 'passed';
  const [here, there] = [alone(candidate), alone(base)];
  return isSteady(suspect) && here.length > 0 && !here.some(isGreen) && there.some(isGreen);
}

type Run = Omit<WantedRun, 'tree' | 'repeat'>;

/** One run for each of some files of the suspects; none where they cannot be run apart from the others. */
async function getFileRuns(ctx: CheckContext, suspects: readonly Suspect[]): Promise<readonly Run[]> {
  const { testing } = ctx.policy;
  const files = [...new Set(suspects.map(({ id }) => getTestFile(id)))];
  const runs: Run[] = [];
  for (const file of files.slice(0, MAX_FILES)) {
    const isThere = (await ctx.ports.workspace.blobId(ctx.candidate.tree, file)) !== null;
    const command = isThere ? getFeatureCommand(testing, file) : null;
    if (command === null || command === testing.full) continue;
    runs.push({ command, idWithoutReport: file });
  }
  return runs;
}

/** Looks at tests once more on one side. */
export type Look = (side: Side, repeat: number) => Promise<void>;

/** A way to look at tests again: their files alone where that can be done, the whole suite where it cannot. */
export async function openLook(ctx: CheckContext, suspects: readonly Suspect[]): Promise<Look> {
  const alone = await getFileRuns(ctx, suspects);
  const look = createLook(ctx, suspects);
  return (side, repeat) => look(side, alone.length > 0 ? alone : 'suite', repeat);
}

type LookAt = (side: Side, what: readonly Run[] | 'suite', repeat: number) => Promise<void>;

/** Runs something once more and notes what became of the suspects; a run without an end says nothing. */
function createLook(ctx: CheckContext, suspects: readonly Suspect[]): LookAt {
  const { policy, ports } = ctx;
  return async (side, what, repeat) => {
    const tree = side === 'base' ? ctx.baseTree : ctx.candidate.tree;
    const suite = getSuiteInputs(policy, tree);
    for (const run of what === 'suite' ? (suite ? [suite] : []) : what) {
      const how = { purpose: `again, ${side}`, side, tree, repeat, notesOpened: true } as const;
      const seen = await ctx.tests.run({ ...run, ...how });
      const { results, timedOut, reportProblem, opened = [] } = seen;
      if (timedOut || reportProblem) continue;
      for (const suspect of suspects) {
        if (what !== 'suite' && getTestFile(suspect.id) !== run.idWithoutReport) continue;
        if (what !== 'suite') for (const path of opened) suspect.opened.add(path);
        const outcome = getOutcome(results, suspect.id);
        suspect[side].push({ tree, command: run.command, outcome, atMs: ports.clock.nowMs() });
      }
    }
  };
}

function getOutcome(results: readonly TestResult[], id: string): Observation['outcome'] {
  return results.find(result => result.id === id)?.outcome ?? 'gone';
}
