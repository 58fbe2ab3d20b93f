import { getReworded } from '../core/code/changed-lines.ts';
import { judgeCoveredCode, judgeHeldBehaviour } from './code/unturned-worth.ts';
import { type ChangedSource, readChangedSources } from './shared/changed-sources.ts';
import { type CheckContext, defineCheck, wroteOwnTest } from './shared/context.ts';
import { runTestFile } from './shared/own-tests.ts';
import { getInTurn, getVariant, type MutatedFile, tryVariants, type Variant } from './shared/variants.ts';
import { readUnturned } from './tests/unturned.ts';

/** The task's tests notice when what was changed is broken on purpose; the first that they notice is enough. */
export const mutation = defineCheck('mutation', async ctx => {
  const { mutants: limit } = ctx.policy.mutation;
  const unturned = await readUnturned(ctx);
  if (limit === 0 && unturned === null) return { status: 'skipped', summary: 'verification.mutants is 0' };
  if (limit === 0)
    return { status: 'needs-human', summary: 'nothing turned green, and verification.mutants is 0' };
  const before = await runTestFile(ctx, { side: 'candidate' });
  if (before === null && unturned === 'tests') return ALONE;
  if (before === null) return { status: 'skipped', summary: 'no test file can be run alone' };
  if (unturned === 'tests') return judgeCoveredCode(ctx, before);
  if (unturned === 'unchanged') return judgeHeldBehaviour(ctx, before);
  const variants = await makeVariants(ctx, limit);
  if (variants.length === 0)
    return { status: 'skipped', summary: 'nothing in this change can be broken on purpose' };
  const commands = [before.command];
  const { noticed, survived } = await tryVariants(ctx, before, variants);
  if (noticed !== null) {
    const summary = `the tests notice when the change is broken (${noticed})`;
    return { status: 'passed', summary, findings: [], commands };
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

/** What the validation alone runs cannot be asked what it notices. */
const ALONE = {
  status: 'needs-human',
  summary: 'nothing but tests was changed, and none of them can be run alone to see what it notices',
  findings: ['give the task a test_file, or read what its validation runs'],
} as const;

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
      : [
          {
            put: bodies.map(({ path, text }) => ({ path, text })),
            words: bodies.map(each => getVariant(each.path, each).words).join('; '),
          },
        ];
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

async function mutateAll(ctx: CheckContext, limit: number): Promise<readonly MutatedFile[]> {
  const files: MutatedFile[] = [];
  for (const { path, before, after } of await readChangedSources(ctx)) {
    const lines = getReworded(before, after);
    const request = { path, text: after, lines, limit, seed: ctx.candidate.tree };
    const mutants = lines.length > 0 ? await ctx.ports.sources?.mutate(request) : null;
    if (mutants) files.push({ path, mutants });
  }
  return files;
}
