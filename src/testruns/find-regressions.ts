import type { EventOf } from '../core/events/event.ts';
import type { Policy } from '../core/model/policy.ts';
import { type Baseline, getTestFile, isLeftOut, type TestRun } from '../core/model/testing.ts';
import {
  getMarkedTasks,
  getProvenTasks,
  getSuspects,
  isInSuite,
  type Suspect,
} from '../core/state/regression.ts';
import type { State } from '../core/state/state.ts';
import { isQuarantined, type MarkedRed } from '../core/state/suite.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { Ports } from '../ports/index.ts';
import { isAllGreen, isCovered, type OwnProof, readOwnProof, runOwnProof } from './own-proof.ts';
import type { TestRuns } from './test-runs.ts';

interface Context {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly state: State;
  readonly tests: TestRuns;
}

interface Where {
  readonly commit: string;
  readonly tree: string;
}

/** A landed task to be opened again, and why. */
export interface Regression {
  readonly task: string;
  readonly tests: readonly string[];
  readonly reason: string;
}

export interface Look {
  readonly found: readonly Regression[];
  /** Proofs that came to no end: they say neither yes nor no. */
  readonly unfinished: readonly string[];
}

/**
 * Landed tasks whose proof no longer holds on this commit because of somebody's later change. Each is looked
 * at once more, by its own tests: one red run accuses, and does not convict. Without a limit of time every
 * proof is run that the suite does not answer for.
 */
export async function findRegressions(
  ctx: Context,
  where: Where,
  baseline: Baseline,
  budgetMs = Number.POSITIVE_INFINITY,
): Promise<Look> {
  const found = new Map<string, Regression>();
  const isNew = ctx.state.suite.baseline?.tree !== where.tree;
  for (const suspect of isNew ? getSuspects(ctx.state, baseline, ctx.policy.testing.full) : []) {
    if (!(await isIn(ctx, suspect.task, where.commit))) continue;
    const parts = await readOwnProof(ctx, suspect.task.def);
    const red: string[] = [];
    for (const part of parts) red.push(...getRed(ctx, part, await runPart(ctx, part, where, 0)));
    const tests = parts.length === 0 ? suspect.tests : red;
    if (tests.length > 0) found.set(suspect.task.def.id, describe(suspect, tests, where));
  }
  const unfinished: string[] = [];
  const endMs = ctx.ports.clock.monotonicMs() + budgetMs;
  for (const task of getProvenTasks(ctx.state)) {
    if (found.has(task.def.id)) continue;
    const look = await lookAtTask(ctx, task, where, { baseline, endMs });
    if (look.red.length + look.unfinished.length === 0 || !(await isIn(ctx, task, where.commit))) continue;
    unfinished.push(...look.unfinished);
    if (look.red.length > 0) found.set(task.def.id, describe({ task, tests: [] }, look.red, where));
  }
  return { found: [...found.values()], unfinished };
}

/** Tasks that were only marked as done and whose own tests fail here; what comes to no end says nothing. */
export async function findMarkedRed(
  ctx: Context,
  where: Where,
  baseline: Baseline,
): Promise<readonly MarkedRed[]> {
  const found: MarkedRed[] = [];
  for (const task of getMarkedTasks(ctx.state)) {
    const tests: string[] = [];
    for (const part of await readOwnProof(ctx, task.def)) {
      const isKnown = part.kind === 'test' && isInSuite(part.name, baseline);
      const red = baseline.failing.filter(
        id => getTestFile(id) === part.name && !isQuarantined(ctx.state.suite.quarantine, id),
      );
      tests.push(...(isKnown ? red : getRed(ctx, part, await runBelieved(ctx, part, where))));
    }
    if (tests.length > 0) found.push({ task: task.def.id, tests });
  }
  return found;
}

/** What the suite does not answer for, each proof as often as it takes to believe that it is red. */
async function lookAtTask(
  ctx: Context,
  task: TaskState,
  where: Where,
  { baseline, endMs }: { readonly baseline: Baseline; readonly endMs: number },
): Promise<{ readonly red: readonly string[]; readonly unfinished: readonly string[] }> {
  const red: string[] = [];
  const unfinished: string[] = [];
  for (const part of await readOwnProof(ctx, task.def)) {
    if (isCovered(ctx.policy, baseline, part)) continue;
    const isLate = ctx.ports.clock.monotonicMs() >= endMs;
    if (isLate && !(await ctx.tests.recall({ ...part.inputs, tree: where.tree }))) continue;
    const run = await runBelieved(ctx, part, where);
    if (isAllGreen(run)) continue;
    red.push(...getRed(ctx, part, run));
    if (isUnfinished(run)) unfinished.push(`${part.name}: ${run.reportProblem ?? 'ran out of time'}`);
  }
  return { red, unfinished };
}

/** Whoever works on it next must not hear more. */
const HIDDEN = 'a held-out test';

/** A run that is red each time, or the first that is not. */
async function runBelieved(ctx: Context, part: OwnProof, where: Where): Promise<TestRun> {
  let run = await runPart(ctx, part, where, 0);
  for (let repeat = 1; repeat <= ctx.policy.reruns && getRed(ctx, part, run).length > 0; repeat++)
    run = await runPart(ctx, part, where, repeat);
  return run;
}

/** Whether a task that was opened again passes all its own tests here, by no doing of ours. */
export async function isFixed(ctx: Context, task: TaskState, where: Where): Promise<boolean> {
  const { tests = [] } = task.reopened ?? {};
  // Opened again by a person's word, and no test says why: none can say that it is fixed.
  if (tests.length === 0) return false;
  const parts = await readOwnProof(ctx, task.def);
  for (const part of parts) {
    const run = await runPart(ctx, part, where, 0);
    // A test that broke and is left out since is not fixed.
    if (!isAllGreen(run) || run.results.some(each => isLeftOut(each) && tests.includes(each.id)))
      return false;
  }
  return parts.length > 0;
}

/** Whether the task's landing is among what this commit stands on; another worker's may have come later. */
async function isIn({ ports }: Context, task: TaskState, commit: string): Promise<boolean> {
  const own = task.landed?.commit;
  if (!own) return false;
  const missing = await ports.workspace.findLandings(commit, own);
  return !missing.some(landing => landing.commit === own);
}

function runPart({ tests }: Context, part: OwnProof, { tree }: Where, repeat: number): Promise<TestRun> {
  return runOwnProof(tests, part, { tree, side: 'base', purpose: 'own tests, again', repeat });
}

/** What ended badly and reported nothing is red as a whole; what came to no proper end says nothing. */
function getRed({ state }: Context, { kind, name }: OwnProof, run: TestRun): readonly string[] {
  const { results, reportProblem, exitCode } = run;
  if (isUnfinished(run)) return [];
  const red = results
    .filter(
      ({ id, outcome }) =>
        (outcome === 'failed' || outcome === 'error') && !isQuarantined(state.suite.quarantine, id),
    )
    .map(({ id }) => id);
  const all = red.length === 0 && (reportProblem || results.length === 0) && exitCode !== 0 ? [name] : red;
  return all.length > 0 && kind === 'held-out' ? [HIDDEN] : all;
}

function isUnfinished({ timedOut, exitCode, reportProblem }: TestRun): boolean {
  return timedOut || exitCode === null || (reportProblem !== undefined && exitCode === 0);
}

function describe({ task }: Suspect, tests: readonly string[], { commit }: Where): Regression {
  const { id } = task.def;
  const reason = `${tests[0]} passed when task ${id} landed and fails at ${commit.slice(0, 10)}: a later change broke it`;
  return { task: id, tests, reason };
}

/** Whether a run of the suite came to no end that says what is red. */
export function saysNothing({ timedOut, exitCode, reportProblem }: TestRun): boolean {
  return timedOut || exitCode === null || exitCode === 126 || exitCode === 127 || reportProblem !== undefined;
}

/** Which of these red tests of the base are red once more, because one red run may be bad luck; the others are flaky. */
export async function seeRedAgain(
  { ports, policy, tests }: Omit<Context, 'state'>,
  { tree, run }: { readonly tree: string; readonly run: TestRun | null },
  red: readonly string[],
): Promise<{ readonly red: readonly string[]; readonly flaky: readonly EventOf<'test.quarantined'>[] }> {
  if (run === null || red.length === 0 || policy.reruns === 0) return { red, flaky: [] };
  const again = await tests.suite({ side: 'base', tree, repeat: 1 });
  const green = new Set(again?.results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  const seen = { tree, command: run.command, atMs: ports.clock.nowMs() };
  const evidence = (['failed', 'passed'] as const).map(outcome => ({ ...seen, outcome }));
  const flaky = red
    .filter(id => green.has(id))
    .map(id => ({ type: 'test.quarantined', id, evidence }) as const);
  return { red: red.filter(id => !green.has(id)), flaky };
}
