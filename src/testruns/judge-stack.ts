import { saysNothing } from './find-regressions.ts';
import { findQuestions, type Layer, type Question, type StackContext } from './stack-questions.ts';
import type { TestRuns } from './test-runs.ts';

export type { Layer } from './stack-questions.ts';

/** Under which name the proof of a batch has its runs of the whole suite. */
export const SUITE = 'suite, batch';

export interface StackVerdict {
  /** The layer that does not go together with those below it; null where all of them do. */
  readonly culprit: number | null;
  /** What is red with it and green without. */
  readonly red: readonly string[];
  /** What is red where it was green before, whoever is left out: with these nobody can say yes. */
  readonly unclear: readonly string[];
}

/**
 * Whether proven work goes together: the suite on all of it at once, and what proves each of them. What is red is asked
 * again, and where it was green, and then by itself of smaller stacks: the first that is red with a layer and green
 * without it names that layer. Nobody is named for a test that is red by chance, or red already.
 */
export async function judgeStack(
  ctx: StackContext,
  tipTree: string,
  layers: readonly Layer[],
): Promise<StackVerdict> {
  const trees = layers.map(({ tree }) => tree);
  const top = trees.at(-1) ?? tipTree;
  // A run of its own for each look: what was green an hour ago says nothing about the machine of today.
  const again = ctx.state.queue.batches * LOOKS + layers.length;
  const first = await ctx.tests.suite({ side: 'candidate', tree: top, purpose: SUITE });
  const run = first && saysNothing(first) ? await askAgain(ctx.tests, top, again) : first;
  const isSilent = run !== null && !run.results.some(({ outcome }) => outcome === 'passed');
  const unclear: string[] = [];
  for (const question of await findQuestions(ctx, { tipTree, layers, top }, run)) {
    const found = await findCulprit(question, trees, again);
    if (typeof found === 'number') return { culprit: found, red: [question.name], unclear: [] };
    if (found === 'red-before' && (isSilent || !question.isOfTip)) unclear.push(question.name);
  }
  return { culprit: null, red: [], unclear };
}

/** More than there are members of a batch. */
const LOOKS = 100;

function askAgain(tests: TestRuns, tree: string, repeat: number) {
  return tests.suite({ side: 'candidate', tree, repeat, purpose: SUITE });
}

/** The layer that turns it red; or it is red by chance, or even where it was green. */
async function findCulprit(
  { lowest, home, ways }: Question,
  trees: readonly string[],
  again: number,
): Promise<number | 'chance' | 'red-before'> {
  let outcome: 'chance' | 'red-before' = 'chance';
  for (const isRed of ways) {
    const top = trees.length - 1;
    outcome = 'chance';
    if (!(await isRed(trees[top] ?? home, again))) continue;
    outcome = 'red-before';
    if (await isRed(home, again)) continue;
    const found = await search(trees, lowest, tree => isRed(tree, 0));
    // A single red run in the middle accuses, and does not convict.
    if (found === top || (await isRed(trees[found] ?? home, again))) return found;
    outcome = 'chance';
  }
  return outcome;
}

/** The lowest that is red where the one below it is green. */
async function search(
  trees: readonly string[],
  lowest: number,
  isRed: (tree: string) => Promise<boolean>,
): Promise<number> {
  let green = lowest - 1;
  let red = trees.length - 1;
  while (red - green > 1) {
    const middle = Math.floor((green + red) / 2);
    if (await isRed(trees[middle] ?? '')) red = middle;
    else green = middle;
  }
  return red;
}
