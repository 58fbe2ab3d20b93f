import type { Policy } from '../core/model/policy.ts';
import type { TaskDef } from '../core/model/task.ts';
import { getTestFile, type TestRun } from '../core/model/testing.ts';
import type { State } from '../core/state/state.ts';
import { isRedForAll } from '../core/state/suite.ts';
import { getFeatureCommand } from '../core/testing/test-command.ts';
import type { Ports } from '../ports/index.ts';
import { saysNothing } from './find-regressions.ts';
import { isAllGreen, isCovered, readOwnProof, runOwnProof } from './own-proof.ts';
import type { TestRuns } from './test-runs.ts';

/** Under which name the proof of a batch has its runs of the whole suite. */
export const SUITE = 'suite, batch';

interface Context {
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

export interface StackVerdict {
  /** The layer that does not go together with those below it; null where all of them do. */
  readonly culprit: number | null;
  /** What is red with it and green without. */
  readonly red: readonly string[];
  /** The run of the suite on the whole stack. */
  readonly run: TestRun | null;
}

/** Something that is to be green, and can be asked of any tree. */
interface Question {
  readonly name: string;
  isRed(tree: string, repeat?: number): Promise<boolean>;
}

/**
 * Whether proven work goes together: the suite on all of it at once, and what proves each of them. What is red is asked
 * again, and of the tip, and then by itself of smaller stacks: the first that is red with a layer and green without it
 * names that layer. Nobody is named for a test that is red by chance, or red already.
 */
export async function judgeStack(
  ctx: Context,
  tipTree: string,
  layers: readonly Layer[],
): Promise<StackVerdict> {
  const top = layers.at(-1)?.tree ?? tipTree;
  const run = await ctx.tests.suite({ side: 'candidate', tree: top, purpose: SUITE });
  for (const question of await findRed(ctx, { tipTree, layers, top }, run)) {
    const found = await findCulprit(question, tipTree, layers);
    if (found !== null) return { culprit: found, red: [question.name], run };
  }
  return { culprit: null, red: [], run };
}

interface Stack {
  readonly tipTree: string;
  readonly layers: readonly Layer[];
  readonly top: string;
}

/** What is red with all layers, each as often as it takes to believe it; what is red on the tip as well is nobody's. */
async function findRed(ctx: Context, stack: Stack, run: TestRun | null): Promise<readonly Question[]> {
  const asked = [...(await findInSuite(ctx, stack, run)), ...(await findBesideSuite(ctx, stack, run))];
  const red: Question[] = [];
  for (const question of asked)
    if ((await question.isRed(stack.top, 1)) && !(await question.isRed(stack.tipTree))) red.push(question);
  return red;
}

/** Tests of the suite that passed on the tip or with one of the layers, and that no layer was allowed to lose. */
async function findInSuite(ctx: Context, stack: Stack, run: TestRun | null): Promise<readonly Question[]> {
  if (run === null) return [];
  if (saysNothing(run)) return [askSuite(ctx, run.command)];
  const green = getGreen(run);
  const wanted = new Set((await ctx.tests.baseline(stack.tipTree)).baseline.passing);
  const given = new Set<string>();
  for (const { baseTree, ownTree } of stack.layers) {
    const [before, after] = [
      await ctx.tests.recallBaseline(baseTree),
      await ctx.tests.recallBaseline(ownTree),
    ];
    if (before === null || after === null) continue;
    const passing = new Set(after.baseline.passing);
    for (const id of before.baseline.passing) if (!passing.has(id)) given.add(id);
    for (const id of passing) wanted.add(id);
  }
  const red = [...wanted].filter(id => !green.has(id) && !given.has(id) && isRedForAll(ctx.state.suite, id));
  return red.map(id => askTest(ctx, run.command, id));
}

/** What proves each layer and is not in the suite. */
async function findBesideSuite(
  ctx: Context,
  { layers, top }: Stack,
  run: TestRun | null,
): Promise<readonly Question[]> {
  const passing = run === null ? [] : [...getGreen(run)];
  const suite = { tree: top, passing, failing: [] };
  const found: Question[] = [];
  for (const { def } of layers)
    for (const part of await readOwnProof(ctx, def)) {
      if (run !== null && isCovered(ctx.policy, suite, part)) continue;
      const isRed = async (tree: string, repeat = 0) =>
        !isAllGreen(
          await runOwnProof(ctx.tests, part, {
            tree,
            side: 'candidate',
            purpose: 'own tests, batch',
            repeat,
          }),
        );
      if (await isRed(top))
        found.push({ name: part.kind === 'held-out' ? 'a held-out test' : part.name, isRed });
    }
  return found;
}

/** The whole suite came to no end that says what is red. */
function askSuite({ tests }: Context, command: string): Question {
  return {
    name: command,
    isRed: async (tree, repeat) => {
      const run = await tests.suite({ side: 'candidate', tree, repeat, purpose: SUITE });
      return run !== null && saysNothing(run);
    },
  };
}

/** One test: alone where it can be run alone, and with the whole suite where it is green alone and red with the others. */
function askTest({ tests, policy }: Context, suite: string, id: string): Question {
  const file = getTestFile(id);
  const command = getFeatureCommand(policy.testing, file);
  // Where only the exit code is known, there is one test: the suite.
  let isWithAll = command === null || command === suite || policy.testing.runner === 'command';
  const ask = async (tree: string, repeat?: number): Promise<boolean> => {
    const how = { side: 'candidate', tree, repeat } as const;
    const run = isWithAll
      ? await tests.suite({ ...how, purpose: SUITE })
      : await tests.run({
          ...how,
          ...{ command: command ?? suite, idWithoutReport: file, purpose: 'red tests, batch' },
        });
    return run !== null && !getGreen(run).has(id);
  };
  return {
    name: id,
    async isRed(tree, repeat) {
      if (await ask(tree, repeat)) return true;
      // Asked a second time it is the top of the stack: red there with the others, it is asked with them from now on.
      if (repeat === undefined || isWithAll) return false;
      isWithAll = true;
      return ask(tree, repeat);
    },
  };
}

function getGreen({ results }: TestRun): ReadonlySet<string> {
  return new Set(results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
}

/** The lowest layer that is red where the stack below it is green; null where it is red from the ground up. */
async function findCulprit(
  question: Question,
  tipTree: string,
  layers: readonly Layer[],
): Promise<number | null> {
  let green = -1;
  let red = layers.length - 1;
  while (red - green > 1) {
    const middle = Math.floor((green + red) / 2);
    if (await question.isRed(layers[middle]?.tree ?? tipTree)) red = middle;
    else green = middle;
  }
  return red;
}
