import { getFeatureCommand } from '../core/test-command.ts';
import type { TestRun } from '../core/testing.ts';
import type { CheckContext } from './context.ts';
import { runOnTree, type Side } from './test-runs.ts';

interface Where {
  readonly side: Side;
  readonly tree: string;
  readonly purpose?: string;
  /** The project's limit when not given. */
  readonly timeoutMs?: number;
  /** Which run of it this is, where it is run more than once to see if it says the same. */
  readonly repeat?: number;
  /** What the shell does before the command. */
  readonly prelude?: string;
}

/** What has been asked in one verification, also of runs that left no report to be remembered. */
const asked = new WeakMap<CheckContext, Map<string, Promise<TestRun>>>();

/** The task's test file on one tree, run once however many checks ask; null when nothing can run it. */
export async function runTestFile(ctx: CheckContext, where: Where): Promise<TestRun | null> {
  const { task, policy, attempt, signal } = ctx;
  const command = task.testFile === null ? null : getFeatureCommand(policy.testing, task.testFile);
  if (task.testFile === null || command === null) return null;
  const known = asked.get(ctx) ?? new Map<string, Promise<TestRun>>();
  asked.set(ctx, known);
  const key = `${where.side} ${where.tree} ${where.repeat ?? 0} ${where.prelude ?? ''}`;
  const run =
    known.get(key) ??
    runOnTree(ctx, {
      purpose: where.purpose ?? `own tests, ${where.side}`,
      slot: attempt.slot,
      side: where.side,
      tree: where.tree,
      command: where.prelude ? `${where.prelude}; ${command}` : command,
      runner: policy.testing.runner,
      reportPath: policy.testing.reportPath,
      idWithoutReport: task.testFile,
      timeoutMs: where.timeoutMs ?? policy.testTimeoutMs,
      repeat: where.repeat,
      signal,
    });
  known.set(key, run);
  return run;
}

/** The task's validation command on one tree; null when it has none. */
export async function runValidation(ctx: CheckContext, where: Where): Promise<TestRun | null> {
  const { side, tree, repeat } = where;
  const { task, attempt, signal } = ctx;
  if (task.validation === null) return null;
  const { command, timeoutSeconds } = task.validation;
  return runOnTree(ctx, {
    purpose: where.purpose ?? `validation, ${side}`,
    slot: attempt.slot,
    side,
    tree,
    command,
    runner: 'command',
    reportPath: null,
    idWithoutReport: `validation: ${command}`,
    timeoutMs: timeoutSeconds * 1_000,
    repeat,
    signal,
  });
}

/** The ids of the tests that a run saw passing. */
export function getGreen(run: TestRun): ReadonlySet<string> {
  return new Set(run.results.filter(result => result.outcome === 'passed').map(result => result.id));
}

/** Tests that the same file has without the change and that nobody saw passing with it. */
export function getGone(withChange: TestRun, without: TestRun): readonly string[] {
  const green = getGreen(withChange);
  return without.results
    .filter(({ id, outcome }) => outcome !== 'error' && !green.has(id))
    .map(({ id }) => `${id} is there on the base and gave no result with the change`);
}
