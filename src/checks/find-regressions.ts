import type { Policy } from '../core/policy.ts';
import { getSuspects, type Suspect } from '../core/regression.ts';
import type { State, TaskState } from '../core/state.ts';
import { getFeatureCommand } from '../core/test-command.ts';
import type { Baseline, TestRun } from '../core/testing.ts';
import type { Ports } from '../ports.ts';
import { runOnTree } from './test-runs.ts';

interface Context {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly state: State;
  readonly signal: AbortSignal;
}

interface Where {
  readonly slot: number;
  readonly commit: string;
  readonly tree: string;
}

/** A landed task to be opened again, and why. */
export interface Regression {
  readonly task: string;
  readonly tests: readonly string[];
  readonly reason: string;
}

/**
 * Landed tasks whose proof no longer holds on this commit because of somebody's later change. Each is looked
 * at once more, by its own tests: one red run of a suite accuses, and does not convict.
 */
export async function findRegressions(
  ctx: Context,
  where: Where,
  baseline: Baseline,
): Promise<readonly Regression[]> {
  if (ctx.state.baseline?.tree === where.tree) return [];
  const regressions: Regression[] = [];
  for (const suspect of getSuspects(ctx.state, baseline, ctx.policy.testing.full)) {
    if (!(await isIn(ctx, suspect, where.commit))) continue;
    const runs = await runOwnTests(ctx, suspect.task, where);
    const tests = runs.length === 0 ? suspect.tests : runs.flatMap(getRed);
    if (tests.length > 0) regressions.push(describe(suspect, tests, where));
  }
  return regressions;
}

/** Whether a task that was opened again passes all its own tests here, by no doing of ours. */
export async function isMended(ctx: Context, task: TaskState, where: Where): Promise<boolean> {
  if (!task.reopened) return false;
  const results = (await runOwnTests(ctx, task, where)).flatMap(run => run.results);
  return results.length > 0 && results.every(({ outcome }) => outcome === 'passed');
}

/** Whether the task's landing is among what this commit stands on; another worker's may have come later. */
async function isIn({ ports }: Context, { task }: Suspect, commit: string): Promise<boolean> {
  const own = task.landed?.commit;
  if (!own) return false;
  const missing = await ports.workspace.findLandings(commit, own);
  return !missing.some(landing => landing.commit === own);
}

/** Its test file and its validation, as far as they can be run alone. */
async function runOwnTests(ctx: Context, task: TaskState, where: Where): Promise<readonly TestRun[]> {
  const { policy, signal } = ctx;
  const { testFile, validation } = task.def;
  const { slot, tree } = where;
  const command = testFile === null ? null : getFeatureCommand(policy.testing, testFile);
  const at = { slot, tree, side: 'base', signal, purpose: 'own tests, again' } as const;
  const runs: TestRun[] = [];
  if (testFile !== null && command !== null) {
    const { runner, reportPath } = policy.testing;
    const how = { command, runner, reportPath, idWithoutReport: testFile, timeoutMs: policy.testTimeoutMs };
    runs.push(await runOnTree(ctx, { ...at, ...how }));
  }
  if (validation !== null) {
    const timeoutMs = validation.timeoutSeconds * 1_000;
    const how = { command: validation.command, runner: 'command', reportPath: null, timeoutMs } as const;
    runs.push(await runOnTree(ctx, { ...at, ...how, idWithoutReport: `validation: ${validation.command}` }));
  }
  return runs;
}

/** A run that came to no proper end says nothing. */
function getRed({ results, timedOut, reportProblem }: TestRun): readonly string[] {
  if (timedOut || reportProblem) return [];
  return results.filter(({ outcome }) => outcome === 'failed' || outcome === 'error').map(({ id }) => id);
}

function describe({ task }: Suspect, tests: readonly string[], { commit }: Where): Regression {
  const { id } = task.def;
  const reason = `${tests[0]} passed when task ${id} landed and fails at ${commit.slice(0, 10)}: a later change broke it`;
  return { task: id, tests, reason };
}
