import { getTestFile, type TestRun } from '../../core/model/testing.ts';
import { getFilesCommand } from '../../core/testing/test-command.ts';
import { getSuiteInputs, recallRun } from '../../testruns/run-cache.ts';
import { runOnTree } from '../../testruns/test-runs.ts';
import type { CheckContext } from '../shared/context.ts';
import { getTestFiles, readTouched } from '../shared/impact.ts';
import { findBroken } from './settle-lost.ts';

/** A suite that is over sooner than this is simply run. */
export const MIN_SUITE_MS = 20_000;

/** At most so much of the suite is run ahead of it: it is run again with the rest. */
const MAX_SHARE = 0.05;
const MAX_FILES = 20;

const RECENT_KEY = 'recent-failures';

/** Tests that are broken for good, and the run that showed it. */
export interface LikelyFailures {
  readonly broken: readonly string[];
  readonly run: TestRun;
}

/**
 * The tests that are likeliest to fail, before all others: those that failed lately and those that use
 * what was changed. What is broken for good among them saves the rest of the suite; green proves nothing.
 */
export async function findLikelyFailures(ctx: CheckContext): Promise<LikelyFailures | null> {
  if (!(await isWorthwhile(ctx))) return null;
  const files = await getLikely(ctx);
  const { runner, reportPath } = ctx.policy.testing;
  const command = files.length === 0 ? null : getFilesCommand(ctx.policy.testing, files);
  if (command === null) return null;
  const run = await runOnTree(ctx, {
    purpose: 'likely failures, candidate',
    slot: ctx.attempt.slot,
    side: 'candidate',
    tree: ctx.candidate.tree,
    command,
    runner,
    reportPath,
    idWithoutReport: command,
    timeoutMs: ctx.policy.testTimeoutMs,
    signal: ctx.signal,
  });
  if (run.timedOut || run.reportProblem) return null;
  const green = new Set(run.results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  const expected = ctx.baseline.passing.filter(id => files.includes(getTestFile(id)));
  const lost = expected.filter(id => !green.has(id) && !ctx.quarantine?.has(id));
  const broken = await findBroken(ctx, lost);
  return broken.length > 0 ? { broken, run } : null;
}

/** Remembers which files failed, to begin with them the next time. */
export async function noteFailures(ctx: CheckContext, ids: readonly string[]): Promise<void> {
  const files = JSON.stringify([...new Set(ids.map(getTestFile))].slice(0, MAX_FILES));
  const { store } = ctx.ports;
  if (((await store.metaGet(RECENT_KEY)) ?? '[]') !== files) await store.metaPut(RECENT_KEY, files);
}

/** Only ahead of a long run that is really to come. */
async function isWorthwhile(ctx: CheckContext): Promise<boolean> {
  const [onBase, onCandidate] = [ctx.baseTree, ctx.candidate.tree].map(tree =>
    getSuiteInputs(ctx.policy, tree),
  );
  if (!onBase || !onCandidate || getFilesCommand(ctx.policy.testing, ['x']) === null) return false;
  const known = await recallRun(ctx, onBase);
  return (
    known !== null && known.run.durationMs >= MIN_SUITE_MS && (await recallRun(ctx, onCandidate)) === null
  );
}

async function getLikely(ctx: CheckContext): Promise<readonly string[]> {
  const all = getTestFiles(ctx);
  const count = Math.min(MAX_FILES, Math.max(1, Math.floor(all.length * MAX_SHARE)));
  const recent = JSON.parse((await ctx.ports.store.metaGet(RECENT_KEY)) ?? '[]') as readonly string[];
  const touched = (await readTouched(ctx)) ?? new Set();
  const known = new Set(all);
  const likely = [...new Set([...recent.filter(file => known.has(file)), ...touched])];
  return likely.filter(file => file !== ctx.task.testFile).slice(0, count);
}
