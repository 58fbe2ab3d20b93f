import type { TestRun } from '../../core/model/testing.ts';
import type { Mutant } from '../../ports/index.ts';
import type { CheckContext } from './context.ts';
import { getGreen, runTestFile } from './own-tests.ts';

/** One broken variant of the candidate. */
export interface Variant {
  readonly put: readonly { readonly path: string; readonly text: string }[];
  readonly words: string;
}

export interface MutatedFile {
  readonly path: string;
  readonly mutants: readonly Mutant[];
}

/** One broken file. */
export function getVariant(path: string, { text, line, what }: Mutant): Variant {
  return { put: [{ path, text }], words: `in ${path}:${line} ${what}` };
}

/** One of each file in turn, so that every file gets its share. */
export function getInTurn(files: readonly MutatedFile[], kind: Mutant['kind']): readonly Variant[] {
  const queues = files.map(({ path, mutants }) =>
    mutants.filter(mutant => mutant.kind === kind).map(mutant => getVariant(path, mutant)),
  );
  const longest = Math.max(0, ...queues.map(queue => queue.length));
  return Array.from({ length: longest }, (_, i) => queues.flatMap(queue => queue[i] ?? [])).flat();
}

/** Runs something on a tree, no longer than it may take there. */
export type RunOn = (tree: string, timeoutMs: number, purpose: string) => Promise<TestRun | null>;

/** The task's own test file. */
export function getOwnRun(ctx: CheckContext): RunOn {
  return (tree, timeoutMs, purpose) => runTestFile(ctx, { side: 'candidate', tree, timeoutMs, purpose });
}

/** Asks the task's own tests about each variant until they notice one, or the time for it is over. */
export async function tryVariants(ctx: CheckContext, before: TestRun, variants: readonly Variant[]) {
  const { clock } = ctx.ports;
  const endMs = clock.monotonicMs() + ctx.policy.mutation.budgetMs;
  const survived: string[] = [];
  for (const variant of variants) {
    if (clock.monotonicMs() > endMs) break;
    if (await isNoticed(ctx, before, variant, getOwnRun(ctx))) return { noticed: variant.words, survived };
    survived.push(variant.words);
  }
  return { noticed: null, survived };
}

/** Whether a run that was green on the candidate is anything but that on a broken variant of it. */
export async function isNoticed(
  ctx: CheckContext,
  before: TestRun,
  variant: Variant,
  run: RunOn,
): Promise<boolean> {
  const { put, words } = variant;
  const tree = await ctx.ports.workspace.compose({ tree: ctx.candidate.tree, put });
  // Others may be at work at the same time: load must not look like something that was noticed.
  const patience = ctx.tests.isSideBySide ? 2 : 1;
  const limitMs = patience * (Math.ceil(3 * before.durationMs) + 2_000);
  const timeoutMs = Math.min(ctx.policy.testTimeoutMs, limitMs);
  const after = await run(tree, timeoutMs, `mutant: ${words}`);
  return after !== null && isKilled(before, after);
}

/** Red, unheard of or out of time: anything but what it was. */
function isKilled(before: TestRun, run: TestRun): boolean {
  if (run.timedOut) return true;
  const green = getGreen(run);
  return getGreen(before).size > 0 && [...getGreen(before)].some(id => !green.has(id));
}
