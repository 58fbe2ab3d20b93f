import { canScan, getImportGraph, getImports } from '../core/imports.ts';
import { getFeatureCommand } from '../core/test-command.ts';
import type { TestRun } from '../core/testing.ts';
import type { HeldOut, HeldOutFile } from '../ports.ts';
import { type CheckContext, defineCheck } from './context.ts';
import { layOut } from './test-runs.ts';

/**
 * Tests that the agent never saw pass too. They are laid into the pristine tree for the run alone, never
 * into the object store, which agents can read; what they find stays between the harness and people.
 */
export const heldOut = defineCheck('held-out', async ctx => {
  const { heldOut: kept } = ctx.ports;
  const files = (await kept?.list(ctx.task.id)) ?? [];
  if (!kept || files.length === 0)
    return { status: 'skipped', summary: 'no tests are held out for this task' };
  const hashes = Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256]));
  const runs = await runHidden(ctx, kept, getTests(files));
  const body = { ...judge(runs), commands: runs.map(run => run.command), hashes };
  return body.status === 'passed' ? body : { ...body, private: true };
});

/** Those that none of the others uses: the rest is there to help them. */
function getTests(files: readonly HeldOutFile[]): readonly string[] {
  const paths = files.map(({ path }) => path);
  const code = files.filter(({ path }) => canScan(path));
  const imports = new Map(code.map(({ path, text }) => [path, getImports(path, text)]));
  const used = new Set([...getImportGraph(imports, new Set(paths)).uses.values()].flat());
  const tests = paths.filter(path => !used.has(path));
  return tests.length > 0 ? tests : paths;
}

async function runHidden(ctx: CheckContext, kept: HeldOut, paths: readonly string[]): Promise<TestRun[]> {
  const { policy, ports, attempt, candidate, signal } = ctx;
  const dir = await layOut(ctx, { slot: attempt.slot, side: 'candidate', tree: candidate.tree, signal });
  const takeOut = await kept.place(ctx.task.id, dir);
  const runs: TestRun[] = [];
  try {
    for (const path of paths) {
      const command = getFeatureCommand(policy.testing, path);
      if (command === null) continue;
      const { runner, reportPath } = policy.testing;
      const how = { runner, reportPath, idWithoutReport: path, timeoutMs: policy.testTimeoutMs };
      runs.push(await ports.tests.run({ dir, command, ...how, signal }));
      signal.throwIfAborted();
    }
    return runs;
  } finally {
    await takeOut();
  }
}

/** The summary is told to the agent: it says that something is wrong, never what. */
function judge(runs: readonly TestRun[]) {
  if (runs.length === 0)
    return {
      status: 'inconclusive',
      summary: 'no command is configured that could run held-out tests',
    } as const;
  const lost = runs.find(run => run.timedOut || run.reportProblem || run.results.length === 0);
  if (lost) {
    const why = lost.timedOut ? 'ran out of time' : (lost.reportProblem ?? 'no tests were collected');
    const findings = [`${lost.command}: ${why}`, lost.outputTail.slice(-1_000)];
    return { status: 'inconclusive', summary: 'held-out tests could not be run', findings } as const;
  }
  const results = runs.flatMap(run => run.results);
  const red = results.filter(({ outcome }) => outcome !== 'passed');
  if (red.length > 0) {
    const findings = red.map(({ id, outcome, message = '' }) => `${id}: ${outcome} ${message.slice(0, 600)}`);
    return { status: 'failed', summary: 'tests that the agent has not seen fail', findings } as const;
  }
  return { status: 'passed', summary: `${results.length} held-out tests pass` } as const;
}
