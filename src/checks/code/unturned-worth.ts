import { getChangedLines } from '../../core/code/changed-lines.ts';
import { getImportGraph } from '../../core/code/imports.ts';
import type { TestRun } from '../../core/model/testing.ts';
import { type ChangedSource, readChangedSources, readIsTest } from '../shared/changed-sources.ts';
import type { CheckContext } from '../shared/context.ts';
import { readImportsOf } from '../shared/impact.ts';
import { readRuns } from '../shared/read-judge-files.ts';
import {
  getInTurn,
  getOwnRun,
  getVariant,
  isNoticed,
  type MutatedFile,
  type RunOn,
  tryVariants,
  type Variant,
} from '../shared/variants.ts';

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
  const words = new Set(test.match(WORD));
  const files: MutatedFile[] = [];
  for (const path of await findUsed(ctx, before)) {
    const text = await workspace.readFile(tree, path);
    if (text === null || text.includes('\0')) continue;
    const lines = text.split('\n').map((_, at) => at + 1);
    const mutants = await sources?.mutate({ path, text, lines, limit, seed: tree });
    const rank = (line: number) => (isNamed(text, line, words) ? 0 : 1);
    if (mutants?.length)
      files.push({ path, mutants: [...mutants].sort((a, b) => rank(a.line) - rank(b.line)) });
  }
  const singles = getInTurn(files, 'single');
  return singles.length > 0 ? singles : [...getInTurn(files, 'body'), ...getInTurn(files, 'effect')];
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** Whether the outermost line that a place belongs to says a word that the test says, too. */
function isNamed(text: string, line: number, words: ReadonlySet<string>): boolean {
  const lines = text.split('\n').slice(0, line);
  const outer = lines.findLast(each => /^[^\s})\]]/.test(each)) ?? '';
  return (outer.match(WORD) ?? []).some(word => words.has(word) && !KEYWORDS.has(word));
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

async function readNamed(ctx: CheckContext): Promise<readonly string[]> {
  const path = ctx.task.testFile ?? '';
  const { tree } = ctx.candidate;
  const blobs = await ctx.ports.workspace.readBlobs(tree);
  const imports = await readImportsOf(ctx, tree, [path], blobs);
  return getImportGraph(imports, new Set(Object.keys(blobs))).uses.get(path) ?? [];
}

/** Changed lines no further apart than this are one place. */
const GAP = 3;

/**
 * Work that leaves behaviour as it was is worth what holds that behaviour: every changed place is the same code in
 * another layout, or tests notice when it is broken. What nothing holds is for a person.
 */
export async function judgeHeldBehaviour(ctx: CheckContext, own: TestRun) {
  const endMs = ctx.ports.clock.monotonicMs() + ctx.policy.mutation.budgetMs;
  const ask = await openAsk(ctx, own);
  const open: string[] = [];
  let [held, same] = [0, 0];
  for (const source of await readChangedSources(ctx)) {
    if (await isSameCode(ctx, source)) {
      same++;
      continue;
    }
    for (const place of await findPlaces(ctx, source)) {
      const isHeld = ctx.ports.clock.monotonicMs() <= endMs && (await ask(place.variants));
      if (isHeld) held++;
      else open.push(`${source.path}:${place.line} can be broken without a test that notices`);
    }
  }
  const commands = [own.command];
  if (open.length > 0) {
    const summary = `tests do not hold what was changed in ${open.length} of ${open.length + held} places`;
    return { status: 'needs-human', summary, findings: open.slice(0, 20), commands } as const;
  }
  const layout = same > 0 ? `, ${same} files differ in their layout only` : '';
  const summary = `tests notice when any of ${held} changed places is broken${layout}`;
  return { status: 'passed', summary, commands } as const;
}

async function isSameCode({ ports }: CheckContext, { path, before, after }: ChangedSource): Promise<boolean> {
  if (before === null) return false;
  return before === after || ((await ports.sources?.isSameCode?.({ path, before, after })) ?? false);
}

interface Place {
  readonly line: number;
  readonly variants: readonly Variant[];
}

/** The places of a file that can be broken: the changed ones, or the file as a whole where none of them can be. */
async function findPlaces(ctx: CheckContext, source: ChangedSource): Promise<readonly Place[]> {
  const { path, before, after } = source;
  const { sources } = ctx.ports;
  const { mutants: limit } = ctx.policy.mutation;
  const lines = getChangedLines(before, after);
  const places: Place[] = [];
  const all = after.split('\n').map((_, at) => at + 1);
  for (const group of [...getGroups(lines), all]) {
    if (group === all && places.length > 0) break;
    const request = { path, text: after, lines: group, limit, seed: ctx.candidate.tree };
    const mutants = await sources?.mutate(request);
    if (!mutants && group === all) return (await isOpened(ctx, path)) ? [getEmptied(path)] : [];
    const broken = (mutants ?? []).filter(({ kind }) => kind !== 'yes');
    const variants = broken.map(mutant => getVariant(path, mutant));
    if (variants.length > 0) places.push({ line: group[0] ?? 1, variants });
  }
  return places;
}

/** What nobody here can read is held where it is missed. */
function getEmptied(path: string): Place {
  return { line: 1, variants: [{ put: [{ path, text: '' }], words: `${path} is empty` }] };
}

async function isOpened(ctx: CheckContext, path: string): Promise<boolean> {
  const runs = await readRuns(ctx, 'candidate');
  const seen = runs.flatMap(({ opened }) => (opened ? [opened] : []));
  return seen.length === 0 || seen.some(opened => opened.includes(path));
}

function getGroups(lines: readonly number[]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last && line - (last.at(-1) ?? 0) <= GAP) last.push(line);
    else groups.push([line]);
  }
  return groups;
}

/** Asks the task's own tests first, then the suite; the same broken text is not asked about twice. */
async function openAsk(ctx: CheckContext, own: TestRun) {
  const suite = await ctx.tests.suite({ side: 'candidate', tree: ctx.candidate.tree });
  const runOwn = getOwnRun(ctx);
  const runAll: RunOn = (tree, _, purpose) => ctx.tests.suite({ side: 'candidate', tree, purpose });
  const known = new Map<string, Promise<boolean>>();
  const askOnce = (before: TestRun, variant: Variant, run: RunOn, who: string) => {
    const key = `${who} ${JSON.stringify(variant.put)}`;
    const answer = known.get(key) ?? isNoticed(ctx, before, variant, run);
    known.set(key, answer);
    return answer;
  };
  return async (variants: readonly Variant[]): Promise<boolean> => {
    for (const variant of variants) if (await askOnce(own, variant, runOwn, 'own')) return true;
    if (suite === null || suite.command === own.command) return false;
    for (const variant of variants) if (await askOnce(suite, variant, runAll, 'suite')) return true;
    return false;
  };
}
