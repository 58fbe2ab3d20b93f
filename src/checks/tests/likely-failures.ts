import { getTestFile, type TestRun } from '../../core/model/testing.ts';
import { getFilesCommand } from '../../core/testing/test-command.ts';
import type { CheckContext } from '../shared/context.ts';
import { getTestFiles, readTouched } from '../shared/impact.ts';
import { MIN_SUITE_MS } from '../shared/own-tests.ts';
import { findBroken } from './rerun-regressions.ts';

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
  const command = files.length === 0 ? null : getFilesCommand(ctx.policy.testing, files);
  if (command === null) return null;
  const run = await ctx.tests.run({
    purpose: 'likely failures, candidate',
    side: 'candidate',
    tree: ctx.candidate.tree,
    command,
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
  if (getFilesCommand(ctx.policy.testing, ['x']) === null) return false;
  const known = await ctx.tests.recallSuite(ctx.baseTree);
  if (known === null || known.run.durationMs < MIN_SUITE_MS) return false;
  return (await ctx.tests.recallSuite(ctx.candidate.tree)) === null;
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
