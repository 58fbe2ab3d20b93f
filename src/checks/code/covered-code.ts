import { getImportGraph } from '../../core/code/imports.ts';
import type { TestRun } from '../../core/model/testing.ts';
import { readIsTest } from '../shared/changed-sources.ts';
import type { CheckContext } from '../shared/context.ts';
import { readImportsOf } from '../shared/impact.ts';
import { getInTurn, type MutatedFile, tryVariants, type Variant } from '../shared/variants.ts';

/** So many broken variants for each that a change would get: nobody knows which lines a new test is about. */
const SHARE = 4;

/**
 * New tests for code that was there are worth what they notice: one way at least to break what they use must turn
 * them red.
 */
export async function judgeCoveredCode(ctx: CheckContext, before: TestRun) {
  const { mutants: limit } = ctx.policy.mutation;
  const variants = (await makeVariants(ctx, before, limit * SHARE)).slice(0, limit * SHARE);
  const commands = [before.command];
  if (variants.length === 0) {
    const summary = 'nothing that the new tests use can be broken on purpose: nobody knows what they notice';
    return { status: 'needs-human', summary, findings: [`read ${ctx.task.testFile} yourself`] } as const;
  }
  const { noticed, survived } = await tryVariants(ctx, before, variants);
  if (noticed !== null) {
    const summary = `the new tests notice when the code they use is broken (${noticed})`;
    return { status: 'passed', summary, commands } as const;
  }
  const summary = `the new tests pass however the code they use is broken (${survived.length} ways tried)`;
  const findings = survived.slice(0, 10).map(words => `the tests still pass when ${words}`);
  return {
    status: survived.length === variants.length ? 'failed' : 'needs-human',
    summary,
    findings,
    commands,
  } as const;
}

/** Places that a test names come first; where only whole functions can be emptied, that has to do. */
async function makeVariants(ctx: CheckContext, before: TestRun, limit: number): Promise<readonly Variant[]> {
  const { workspace, sources } = ctx.ports;
  const { tree } = ctx.candidate;
  const test = (await workspace.readFile(tree, ctx.task.testFile ?? '')) ?? '';
  const said = new Set(test.match(WORD));
  const files: MutatedFile[] = [];
  for (const path of await findUsed(ctx, before)) {
    const text = await workspace.readFile(tree, path);
    if (text === null || text.includes('\0')) continue;
    const lines = text.split('\n').map((_, at) => at + 1);
    const mutants = await sources?.mutate({ path, text, lines, limit, seed: tree });
    const rank = (line: number) => (isNamed(text, line, said) ? 0 : 1);
    if (mutants?.length)
      files.push({ path, mutants: [...mutants].sort((a, b) => rank(a.line) - rank(b.line)) });
  }
  const singles = getInTurn(files, 'single');
  return singles.length > 0 ? singles : [...getInTurn(files, 'body'), ...getInTurn(files, 'effect')];
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** Whether the outermost line that a place belongs to says a word that the test says, too. */
function isNamed(text: string, line: number, said: ReadonlySet<string>): boolean {
  const lines = text.split('\n').slice(0, line);
  const outer = lines.findLast(each => /^[^\s})\]]/.test(each)) ?? '';
  return (outer.match(WORD) ?? []).some(word => said.has(word) && !KEYWORDS.has(word));
}

const KEYWORDS = new Set([
  'export',
  'function',
  'const',
  'let',
  'async',
  'default',
  'class',
  'def',
  'import',
]);

/** The product's files that the new test opened, or names where nobody saw that. */
async function findUsed(ctx: CheckContext, { opened }: TestRun): Promise<readonly string[]> {
  const isTest = await readIsTest(ctx);
  const used = opened ?? (await readNamed(ctx));
  return used.filter(path => !isTest(path) && path !== ctx.task.testFile);
}

async function readNamed({ ports, candidate, task, ...ctx }: CheckContext): Promise<readonly string[]> {
  const path = task.testFile ?? '';
  const blobs = await ports.workspace.readBlobs(candidate.tree);
  const imports = await readImportsOf({ ports, candidate, task, ...ctx }, candidate.tree, [path], blobs);
  return getImportGraph(imports, new Set(Object.keys(blobs))).uses.get(path) ?? [];
}
