import type { Policy } from '../core/model/policy.ts';
import type { TaskDef } from '../core/model/task.ts';
import { type Baseline, getTestFile, type TestRun } from '../core/model/testing.ts';
import type { State } from '../core/state/state.ts';
import { isRedForAll } from '../core/state/suite.ts';
import { getFeatureCommand } from '../core/testing/test-command.ts';
import type { Ports } from '../ports/index.ts';
import { saysNothing } from './find-regressions.ts';
import { isAllGreen, isCovered, type OwnProof, readOwnProof, runOwnProof } from './own-proof.ts';
import type { TestRuns } from './test-runs.ts';

export interface StackContext {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly state: State;
  readonly tests: TestRuns;
}

/** Proven work as it lies in a stack, the first at the bottom. */
export interface Layer {
  readonly def: TaskDef;
  /** What it was proven on, and what was proven. */
  readonly baseTree: string;
  readonly ownTree: string;
  /** The tip with all layers up to this one. */
  readonly tree: string;
}

export interface Stack {
  readonly tipTree: string;
  readonly layers: readonly Layer[];
  readonly top: string;
}

/** Something that is red with all layers, was green before, and can be asked of any tree. */
export interface Question {
  readonly name: string;
  /** The tree that it was green on: the tip, or what a layer was proven as. */
  readonly home: string;
  readonly isOfTip: boolean;
  /** The first layer that it has to be green with. */
  readonly lowest: number;
  /** Whether it is red on a tree, by itself first and with all others at last, which is how it was judged. */
  readonly ways: readonly Ask[];
}

type Ask = (tree: string, repeat: number) => Promise<boolean>;

type Home = Pick<Question, 'home' | 'isOfTip' | 'lowest'>;

/** All that is red on top of a stack and must not be. */
export async function findQuestions(
  ctx: StackContext,
  stack: Stack,
  run: TestRun | null,
): Promise<readonly Question[]> {
  return [...(await findInSuite(ctx, stack, run)), ...(await findBesideSuite(ctx, stack, run))];
}

/** Tests of the suite that passed on the tip, or that a layer turned green, and that no layer was allowed to lose. */
async function findInSuite(
  ctx: StackContext,
  stack: Stack,
  run: TestRun | null,
): Promise<readonly Question[]> {
  if (run === null) return [];
  const ofTip = { home: stack.tipTree, isOfTip: true, lowest: 0 };
  if (saysNothing(run)) return [{ name: run.command, ...ofTip, ways: [askSuite(ctx, saysNothing)] }];
  const wanted = new Map<string, Home>();
  const given = new Set<string>();
  for (const id of (await ctx.tests.baseline(stack.tipTree)).baseline.passing) wanted.set(id, ofTip);
  for (const [lowest, { baseTree, ownTree }] of stack.layers.entries()) {
    const before = new Set((await getBaselineOf(ctx, baseTree)).passing);
    const after = new Set((await getBaselineOf(ctx, ownTree)).passing);
    for (const id of before) if (!after.has(id)) given.add(id);
    for (const id of after)
      if (!before.has(id) && !wanted.has(id)) wanted.set(id, { home: ownTree, isOfTip: false, lowest });
  }
  const green = getGreen(run);
  const isRed = (id: string) => !green.has(id) && !given.has(id) && isRedForAll(ctx.state.suite, id);
  return [...wanted]
    .filter(([id]) => isRed(id) && !isLeftToOwnProof(stack, run, id))
    .map(([id, home]) => ({ name: id, ...home, ways: getWays(ctx, run, id) }));
}

/** Measured anew where nothing is remembered of it: who has been allowed to lose a test must not be blamed for it. */
async function getBaselineOf({ tests }: StackContext, tree: string): Promise<Baseline> {
  return (await tests.recallBaseline(tree))?.baseline ?? (await tests.baseline(tree)).baseline;
}

/** The suite was run without the tests of tasks that have not landed, because those kept the others from being heard. */
function isLeftToOwnProof({ layers }: Stack, { results }: TestRun, id: string): boolean {
  const file = getTestFile(id);
  return (
    layers.some(({ def }) => def.testFile === file) && !results.some(one => getTestFile(one.id) === file)
  );
}

/** What proves each layer and is not in the suite. */
async function findBesideSuite(
  ctx: StackContext,
  { layers, top }: Stack,
  run: TestRun | null,
): Promise<readonly Question[]> {
  const passing = run === null ? [] : [...getGreen(run)];
  const suite = { tree: top, passing, failing: [] };
  const found: Question[] = [];
  for (const [lowest, { def, ownTree }] of layers.entries())
    for (const part of await readOwnProof(ctx, def)) {
      if (run !== null && isCovered(ctx.policy, suite, part)) continue;
      const isRed = askOwnProof(ctx, part);
      const name = part.kind === 'held-out' ? 'a held-out test' : part.name;
      if (await isRed(top, 0)) found.push({ name, home: ownTree, isOfTip: false, lowest, ways: [isRed] });
    }
  return found;
}

function askOwnProof({ tests }: StackContext, part: OwnProof): Ask {
  return async (tree, repeat) =>
    !isAllGreen(
      await runOwnProof(tests, part, { tree, side: 'candidate', purpose: 'own tests, batch', repeat }),
    );
}

function askSuite({ tests }: StackContext, isRed: (run: TestRun) => boolean): Ask {
  return async (tree, repeat) => {
    const run = await tests.suite({ side: 'candidate', tree, repeat, purpose: 'suite, batch' });
    return run !== null && isRed(run);
  };
}

/** One test: alone where it can be run alone; and with the whole suite, which may be the only way to see it red. */
function getWays(ctx: StackContext, { command: suite }: TestRun, id: string): readonly Ask[] {
  const isRed = (run: TestRun) => !getGreen(run).has(id);
  const file = getTestFile(id);
  const command = getFeatureCommand(ctx.policy.testing, file);
  const withAll = askSuite(ctx, isRed);
  // A command of which only the exit code is known has one result, and no files.
  if (command === null || command === suite || id === suite) return [withAll];
  const how = { command, idWithoutReport: file, side: 'candidate', purpose: 'red tests, batch' } as const;
  return [async (tree, repeat) => isRed(await ctx.tests.run({ ...how, tree, repeat })), withAll];
}

function getGreen({ results }: TestRun): ReadonlySet<string> {
  return new Set(results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
}
