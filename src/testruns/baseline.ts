import type { Policy } from '../core/model/policy.ts';
import type { TaskDef } from '../core/model/task.ts';
import { type Baseline, getBaseline, type RunRecord, type TestRun } from '../core/model/testing.ts';
import { RUNNERS } from '../core/testing/runners.ts';
import type { Ports } from '../ports/index.ts';
import { getSuiteInputs } from './run-cache.ts';
import { runOnTree } from './test-runs.ts';

interface Context {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly runs?: RunRecord[] | undefined;
  /** Test files of tasks that are still to be done: red, and perhaps in the way of all others. */
  readonly awaited?: readonly string[] | undefined;
  /** Whose candidate is judged: its own test is no longer in anybody's way there. */
  readonly task?: Pick<TaskDef, 'testFile'>;
}

interface Where {
  readonly slot: number;
  readonly side: 'candidate' | 'base';
  readonly tree: string;
  readonly signal: AbortSignal;
  readonly purpose?: string;
  readonly repeat?: number;
  readonly observe?: readonly string[];
}

/** What passes and fails on a tree before anyone touches it; null run when there is no suite. */
export async function measureBaseline(
  ctx: Context,
  where: Omit<Where, 'side'>,
): Promise<{ readonly baseline: Baseline; readonly run: TestRun | null }> {
  const run = await runSuite(ctx, { ...where, side: 'base' });
  return {
    baseline: run ? getBaseline(where.tree, run) : { tree: where.tree, passing: [], failing: [] },
    run,
  };
}

/** The whole suite on one tree; without tests that are still to turn green where those keep it from being heard. */
export async function runSuite(ctx: Context, where: Where): Promise<TestRun | null> {
  const suite = getSuiteInputs(ctx.policy, where.tree);
  if (!suite) return null;
  const looks = { isWatched: true, notesOpened: true } as const;
  const keepsCompiled = where.side === 'base' && !where.repeat;
  const request = { purpose: `suite, ${where.side}`, ...looks, ...suite, ...where, keepsCompiled };
  const { store, workspace } = ctx.ports;
  const known = `unheard:${JSON.stringify([where.tree, suite.command])}`;
  const isKnown = (await store.cacheGet(known)) !== null;
  const run = isKnown ? null : await runOnTree(ctx, request);
  if (run && !isUnheard(run, ctx.policy)) return run;
  const drop = await getInTheWay(ctx, where);
  if (drop.length === 0) return run ?? runOnTree(ctx, request);
  const tree = await workspace.compose({ tree: where.tree, drop });
  const without = await runOnTree(ctx, { ...request, tree });
  if (isUnheard(without, ctx.policy)) return run ?? runOnTree(ctx, request);
  await store.cachePut(known, '');
  return without;
}

/** Whether one test file may have kept the others from being heard: it hung, ended the process or did not compile. */
function isUnheard({ timedOut, results, reportProblem }: TestRun, { testing }: Policy): boolean {
  if (timedOut || (reportProblem !== undefined && results.length === 0)) return true;
  return (
    RUNNERS[testing.runner].compilesTogether === true &&
    results.some(({ id, outcome }) => outcome === 'error' && !id.includes(' > '))
  );
}

async function getInTheWay({ ports, awaited = [], task }: Context, { side, tree }: Where): Promise<string[]> {
  const others = side === 'candidate' ? awaited.filter(path => path !== task?.testFile) : awaited;
  const ids = await Promise.all(others.map(path => ports.workspace.blobId(tree, path)));
  return others.filter((_, at) => ids[at] !== null);
}
