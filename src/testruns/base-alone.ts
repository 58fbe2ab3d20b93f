import { HarnessError } from '../core/base/failure.ts';
import type { Policy } from '../core/model/policy.ts';
import { type Baseline, getTestFile } from '../core/model/testing.ts';
import { getFeatureCommand } from '../core/testing/test-command.ts';
import { getSaid } from '../core/testing/unstarted.ts';
import type { Ports } from '../ports/index.ts';
import { runOnTree } from './test-runs.ts';

interface Where {
  readonly slot: number;
  readonly tree: string;
  readonly signal: AbortSignal;
}

/** Tests may be inherited: the file that a report names need not hold any by itself. */
const MAX_FILES = 3;

/**
 * A test file that passes in the suite of the base has to give a result by itself: every verdict asks for that of
 * the task's own, and no agent is to blame where it cannot be had. Looked at once for each way of asking.
 */
export async function checkAlone(
  ctx: { readonly ports: Ports; readonly policy: Policy },
  { passing }: Baseline,
  where: Where,
  /** The task's own file, which will be run by itself anyway. */
  own: string | null = null,
): Promise<void> {
  const { testing, environment } = ctx.policy;
  if (testing.runner === 'command') return;
  const asked = JSON.stringify([testing.runner, testing.full, testing.feature, environment.install]);
  if ((await ctx.ports.store.metaGet(KEY)) === asked) return;
  const problems: string[] = [];
  const green = [...new Set(passing.map(getTestFile))];
  const spread = getSpread(green, MAX_FILES);
  const files = own !== null && green.includes(own) ? [own, ...spread.filter(file => file !== own)] : spread;
  for (const file of files) {
    const problem = await findProblem(ctx, file, where);
    if (problem === undefined) continue;
    if (problem === null) return ctx.ports.store.metaPut(KEY, asked);
    problems.push(problem);
  }
  if (problems[0] !== undefined)
    throw new HarnessError('environment', problems[0], { field: 'testing.feature' });
}

/** Some of many from the beginning, the end and between. */
function getSpread<T>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all;
  return Array.from({ length: count }, (_, i) => all[Math.round((i * (all.length - 1)) / (count - 1))] as T);
}

/** Why a file gives no result by itself; null where it does, nothing where that cannot be asked. */
async function findProblem(
  ctx: { readonly ports: Ports; readonly policy: Policy },
  file: string,
  { slot, tree, signal }: Where,
): Promise<string | null | undefined> {
  const { testing, testTimeoutMs: timeoutMs } = ctx.policy;
  const { runner, reportPath } = testing;
  const command = getFeatureCommand(testing, file);
  if (command === null || command === testing.full) return undefined;
  if ((await ctx.ports.workspace.blobId(tree, file)) === null) return undefined;
  const run = await runOnTree(ctx, {
    ...{ purpose: 'one file by itself, base', slot, side: 'base', tree, signal },
    ...{ command, runner, reportPath, idWithoutReport: file, timeoutMs, notesOpened: true },
  });
  const problem = run.timedOut ? 'it ran out of time' : run.reportProblem;
  return problem === undefined
    ? null
    : `${file} passes in the suite, and by itself it gives no result on the base: \`${command}\`: ${problem}. Set testing.feature to what runs one file ({file}). It said:\n${getSaid(run)}`;
}

const KEY = 'alone-on-base';
