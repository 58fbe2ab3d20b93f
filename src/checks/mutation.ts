import { getChangedLines } from '../core/changed-lines.ts';
import type { TestRun } from '../core/testing.ts';
import type { Mutant } from '../ports.ts';
import { type ChangedSource, readChangedSources, wroteOwnTest } from './changed-sources.ts';
import { type CheckContext, defineCheck } from './context.ts';
import { getGreen, runTestFile } from './own-tests.ts';

/** One broken variant of the candidate. */
interface Variant {
  readonly put: readonly { readonly path: string; readonly text: string }[];
  readonly words: string;
}

/** The task's tests notice when what was changed is broken on purpose; the first that they notice is enough. */
export const mutation = defineCheck('mutation', async ctx => {
  const { mutants: limit, budgetMs } = ctx.policy.mutation;
  if (limit === 0) return { status: 'skipped', summary: 'verification.mutants is 0' };
  const before = await runTestFile(ctx, { side: 'candidate', tree: ctx.candidate.tree });
  if (before === null) return { status: 'skipped', summary: 'no test file can be run alone' };
  const variants = await makeVariants(ctx, limit);
  if (variants.length === 0)
    return { status: 'skipped', summary: 'nothing in this change can be broken on purpose' };
  const commands = [before.command];
  const timeoutMs = Math.min(ctx.policy.testTimeoutMs, Math.ceil(3 * before.durationMs) + 2_000);
  const endMs = ctx.ports.clock.monotonicMs() + budgetMs;
  const survived: string[] = [];
  for (const { put, words } of variants) {
    if (ctx.ports.clock.monotonicMs() > endMs) break;
    const tree = await ctx.ports.workspace.compose({ tree: ctx.candidate.tree, put });
    const run = await runTestFile(ctx, { side: 'candidate', tree, timeoutMs, purpose: `mutant: ${words}` });
    if (run !== null && isKilled(before, run)) {
      const summary = `the tests notice when the change is broken (${words})`;
      return { status: 'passed', summary, findings: [], commands };
    }
    survived.push(words);
  }
  const isComplete = survived.length === variants.length;
  return {
    status: wroteOwnTest(ctx) && isComplete ? 'failed' : 'needs-human',
    summary: isComplete
      ? `the tests pass however the change is broken (${survived.length} ways tried)`
      : `${survived.length} of ${variants.length} broken variants were tried in time, none was noticed`,
    findings: survived.map(words => `the tests still pass when ${words}`),
    commands,
  };
});

/** Red, unheard of or out of time: anything but what it was. */
function isKilled(before: TestRun, run: TestRun): boolean {
  if (run.timedOut) return true;
  const green = getGreen(run);
  return before.results.some(({ id }) => !green.has(id));
}

/**
 * Everything emptied at once is the quickest to be noticed. That is not asked of tests that the agent wrote
 * itself as long as there is something finer: a test that only calls the code would notice it too.
 */
async function makeVariants(ctx: CheckContext, limit: number): Promise<readonly Variant[]> {
  if (!ctx.ports.sources) return [];
  const files = await mutateAll(ctx, limit);
  const bodies = files.flatMap(({ path, mutants }) =>
    mutants.filter(({ kind }) => kind === 'body').map(mutant => ({ path, ...mutant })),
  );
  const singles = getInTurn(files, 'single');
  const emptied: readonly Variant[] =
    bodies.length === 0
      ? []
      : [{ put: bodies.map(({ path, text }) => ({ path, text })), words: bodies.map(getWords).join('; ') }];
  const wroteTest = wroteOwnTest(ctx);
  const wanted = wroteTest && singles.length > 0 ? singles : [...emptied, ...singles];
  if (wanted.length > 0) return wanted.slice(0, limit);
  const effects = getInTurn(files, 'effect').slice(0, limit);
  return effects.length > 0 || !wroteTest ? effects : getAllEmpty(await readChangedSources(ctx));
}

/** Where there is no code to break, a test that the agent wrote must at least notice that nothing is there. */
function getAllEmpty(sources: readonly ChangedSource[]): readonly Variant[] {
  const filled = sources.filter(({ after }) => after.trim() !== '');
  if (filled.length === 0) return [];
  const put = filled.map(({ path }) => ({ path, text: '' }));
  return [{ put, words: `${put.map(({ path }) => path).join(', ')} is empty` }];
}

interface MutatedFile {
  readonly path: string;
  readonly mutants: readonly Mutant[];
}

async function mutateAll(ctx: CheckContext, limit: number): Promise<readonly MutatedFile[]> {
  const files: MutatedFile[] = [];
  for (const { path, before, after } of await readChangedSources(ctx)) {
    const lines = getChangedLines(before, after);
    const request = { path, text: after, lines, limit, seed: ctx.candidate.tree };
    const mutants = lines.length > 0 ? await ctx.ports.sources?.mutate(request) : null;
    if (mutants) files.push({ path, mutants });
  }
  return files;
}

/** One of each file in turn, so that every file gets its share. */
function getInTurn(files: readonly MutatedFile[], kind: Mutant['kind']): readonly Variant[] {
  const queues = files.map(({ path, mutants }) =>
    mutants
      .filter(mutant => mutant.kind === kind)
      .map(mutant => ({
        put: [{ path, text: mutant.text }],
        words: getWords({ path, ...mutant }),
      })),
  );
  const longest = Math.max(0, ...queues.map(queue => queue.length));
  return Array.from({ length: longest }, (_, i) => queues.flatMap(queue => queue[i] ?? [])).flat();
}

function getWords({ path, line, what }: { path: string } & Mutant): string {
  return `in ${path}:${line} ${what}`;
}
