import { HarnessError } from '../core/failure.ts';
import type { Policy } from '../core/policy.ts';
import { getFeatureCommand } from '../core/test-command.ts';
import { type Baseline, getTestFile } from '../core/testing.ts';
import { getSaid } from '../core/unstarted.ts';
import type { Ports } from '../ports.ts';
import { runOnTree } from './test-runs.ts';

interface Where {
  readonly slot: number;
  readonly tree: string;
  readonly signal: AbortSignal;
}

/**
 * One test file that passes in the suite of the base has to give a result by itself: every verdict asks for that of
 * the task's own, and no agent is to blame where it cannot be had. Looked at once for each way of asking.
 */
export async function checkAlone(
  ctx: { readonly ports: Ports; readonly policy: Policy },
  { passing }: Baseline,
  { slot, tree, signal }: Where,
): Promise<void> {
  const { testing, testTimeoutMs: timeoutMs, environment } = ctx.policy;
  const { runner, reportPath } = testing;
  const [file] = passing.map(getTestFile);
  const command = file === undefined ? null : getFeatureCommand(testing, file);
  if (file === undefined || command === null || command === testing.full || runner === 'command') return;
  if ((await ctx.ports.workspace.blobId(tree, file)) === null) return;
  const asked = JSON.stringify([runner, testing.full, testing.feature, environment.install]);
  if ((await ctx.ports.store.metaGet(KEY)) === asked) return;
  const run = await runOnTree(ctx, {
    ...{ purpose: 'one file by itself, base', slot, side: 'base', tree, signal },
    ...{ command, runner, reportPath, idWithoutReport: file, timeoutMs, notesOpened: true },
  });
  const problem = run.timedOut ? 'it ran out of time' : run.reportProblem;
  if (problem === undefined) {
    await ctx.ports.store.metaPut(KEY, asked);
    return;
  }
  const message = `${file} passes in the suite, and by itself it gives no result on the base: \`${command}\`: ${problem}. Set testing.feature to what runs one file ({file}). It said:\n${getSaid(run)}`;
  throw new HarnessError('environment', message, { field: 'testing.feature' });
}

const KEY = 'alone-on-base';
