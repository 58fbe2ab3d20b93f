import { matchesAny } from '../../core/base/glob.ts';
import { getBaseName } from '../../core/base/tree-path.ts';
import { canScan } from '../../core/code/imports.ts';
import type { Observation } from '../../core/model/facts.ts';
import type { TestRun } from '../../core/model/testing.ts';
import { getCommandWords } from '../../core/shell/command-line.ts';
import { canTouch } from '../../core/state/regression.ts';
import { judgeLost } from '../../core/state/suite.ts';
import { isAllGreen, isCovered, type OwnProof, readOwnProof, runOwnProof } from '../../testruns/own-proof.ts';
import type { Side } from '../../testruns/worktrees.ts';
import type { CheckContext } from '../shared/context.ts';
import { getGreen } from '../shared/own-tests.ts';

/** What became of the proofs of landed tasks. */
export interface Held {
  /** Landed tasks that were asked again, or need not be. */
  readonly tasks: number;
  readonly findings: readonly string[];
  /** The same for people alone: what is held out is told to nobody else. */
  readonly hidden: readonly string[];
  readonly failing: readonly string[];
  readonly commands: readonly string[];
  readonly timedOut: readonly string[];
  /** What there was no time for, or was red before: a look at everything has to settle it. */
  readonly left: number;
}

/**
 * What proved the tasks that have landed still does. The suite answers for what it runs; the rest is run by
 * itself, the quickest first, until the time for it is over. What was red before never blocks.
 */
export async function holdLanded(ctx: CheckContext): Promise<Held> {
  const { clock } = ctx.ports;
  const endMs = clock.monotonicMs() + ctx.policy.regression.budgetMs;
  const parts = await readParts(ctx);
  const late = new Set<string>();
  const judged: Judged[] = [];
  for (const { part, tree, known } of parts) {
    if (!known && clock.monotonicMs() >= endMs) late.add(`${part.task} ${part.name}`);
    else judged.push(await judgePart(ctx, part, tree));
  }
  const bad = judged.filter(({ finding }) => finding !== null);
  const isHidden = ({ part }: Judged) => part.kind === 'held-out';
  return {
    tasks: new Set(ctx.landed?.map(({ id }) => id)).size,
    findings: bad.filter(one => !isHidden(one)).map(({ finding }) => finding as string),
    hidden: bad.filter(isHidden).map(({ finding }) => finding as string),
    failing: bad.filter(one => !isHidden(one)).flatMap(({ lost }) => lost),
    commands: [...new Set(judged.filter(one => !isHidden(one)).map(({ part }) => part.inputs.command))],
    timedOut: judged.filter(({ outcome }) => outcome === 'timed-out').map(({ part }) => part.name),
    left: late.size + judged.filter(({ outcome }) => outcome === 'red-before').length,
  };
}

interface Asked {
  readonly part: OwnProof;
  readonly tree: string;
  /** Whether the same bytes have answered before. */
  readonly known: boolean;
}

/** Everything that has to be asked, the quickest first. */
async function readParts(ctx: CheckContext): Promise<readonly Asked[]> {
  const own = new Map(
    (await ctx.ports.heldOut?.list(ctx.task.id))?.map(({ path, sha256 }) => [path, sha256]),
  );
  const found: (Asked & { readonly costMs: number })[] = [];
  for (const task of ctx.landed ?? []) {
    for (const part of await readOwnProof(ctx, task)) {
      if (isCovered(ctx.policy, ctx.baseline, part)) continue;
      // The task's own held-out tests are asked by a check of their own.
      if (part.kind === 'held-out' && own.get(part.name) === part.sha256) continue;
      const before = await ctx.tests.recall({ ...part.inputs, tree: ctx.baseTree });
      if (before && !canTouch(getOpened(before.run), ctx.changes)) continue;
      for (const tree of await getTrees(ctx, part)) {
        const known = (await ctx.tests.recall({ ...part.inputs, tree })) !== null;
        const costMs = known ? 0 : (before?.run.durationMs ?? Number.MAX_SAFE_INTEGER);
        found.push({ part, tree, known, costMs });
      }
    }
  }
  return found.sort((a, b) => a.costMs - b.costMs);
}

/** The files that a run was seen to open; null where nobody could watch. */
function getOpened({ opened }: TestRun): ReadonlySet<string> | null {
  return opened ? new Set(opened) : null;
}

/**
 * The candidate, with the test file as the base has it where the task has no leave to change it. A validation is asked
 * of the candidate as it is, and once more with each file that its command goes by as the base has it: its script, where
 * that is its judge, and what it compares with.
 */
async function getTrees(ctx: CheckContext, part: OwnProof): Promise<readonly string[]> {
  const { candidate, changes, task, baseTree, ports } = ctx;
  const theirs = changes
    .filter(({ path, kind }) => kind !== 'added' && !matchesAny(path, task.mayChange))
    .map(({ path }) => path);
  const take = (paths: readonly string[]) =>
    ports.workspace.compose({ tree: candidate.tree, take: [{ from: baseTree, paths }] });
  if (part.kind !== 'validation')
    return [theirs.includes(part.name) ? await take([part.name]) : candidate.tree];
  const words = getCommandWords(part.inputs.command);
  const trees = [candidate.tree];
  for (const path of theirs.filter(each => words.includes(each) || isMakefile(words, each)))
    if (!isProgram(path) || (await decides(ctx, part, path))) trees.push(await take([path]));
  return trees;
}

const isProgram = (path: string): boolean => canScan(path) || path.endsWith('.sh');

/** The one file that a command goes by without naming it. */
function isMakefile(words: readonly string[], path: string): boolean {
  return words[0] === 'make' && getBaseName(path).toLowerCase().endsWith('makefile');
}

/** Whether a validation is content with an empty script: then the script is its judge, and not what it judges. */
async function decides(ctx: CheckContext, part: OwnProof, path: string): Promise<boolean> {
  const tree = await ctx.ports.workspace.compose({ tree: ctx.baseTree, put: [{ path, text: '' }] });
  const purpose = `landed task ${part.task}, emptied`;
  return isAllGreen(await runOwnProof(ctx.tests, part, { purpose, side: 'base', tree }));
}

interface Judged {
  readonly part: OwnProof;
  readonly outcome: 'holds' | 'lost' | 'red-before' | 'timed-out';
  readonly finding: string | null;
  readonly lost: readonly string[];
}

async function judgePart(ctx: CheckContext, part: OwnProof, tree: string): Promise<Judged> {
  const look = createLook(ctx, part, tree);
  const run = await look('candidate');
  const settled = { part, finding: null, lost: [] };
  if (getRed(ctx, run).length === 0 && isWhole(run)) return { ...settled, outcome: 'holds' };
  const before = await look('base');
  const lost = [...getGreen(before)].filter(id => !getGreen(run).has(id) && isHeldTo(ctx, part, id));
  if (lost.length === 0) return { ...settled, outcome: 'red-before' };
  if (run.timedOut) return { ...settled, outcome: 'timed-out' };
  const seen = await lookAgain(ctx, look, lost);
  const outcome = judgeLost(seen, true);
  if (outcome === 'flaky') return { ...settled, outcome: 'holds' };
  const what = describe(run, lost[0] ?? '');
  return { part, outcome: 'lost', lost, finding: getFinding(ctx, part, what, outcome === 'made-flaky') };
}

type Look = (side: Side, repeat?: number) => Promise<TestRun>;

function createLook(ctx: CheckContext, part: OwnProof, tree: string): Look {
  return (side, repeat = 0) => {
    const purpose = `landed task ${part.task}, ${side}`;
    const where = { purpose, side, tree: side === 'base' ? ctx.baseTree : tree };
    return runOwnProof(ctx.tests, part, { ...where, repeat });
  };
}

/** One red run accuses: it is asked again on both sides, as far as that can change anything. */
async function lookAgain(ctx: CheckContext, look: Look, lost: readonly string[]) {
  const isGreen = (run: TestRun) => lost.every(id => getGreen(run).has(id));
  const see = async (side: Side): Promise<Observation[]> => {
    const seen: Observation[] = [];
    for (let repeat = 0; repeat <= ctx.policy.reruns; repeat++) {
      const run = await look(side, repeat);
      const outcome = isGreen(run) ? 'passed' : 'failed';
      seen.push({ tree: side, command: run.command, outcome, atMs: ctx.ports.clock.nowMs() });
    }
    return seen;
  };
  const candidate = await see('candidate');
  const isSteady = candidate.every(({ outcome }) => outcome === 'failed');
  return { candidate, base: isSteady ? [] : await see('base') };
}

function isWhole({ timedOut, reportProblem, results }: TestRun): boolean {
  return !timedOut && !reportProblem && results.length > 0;
}

function getRed({ quarantine }: CheckContext, { results }: TestRun): readonly string[] {
  return results
    .filter(({ id, outcome }) => (outcome === 'failed' || outcome === 'error') && !quarantine?.has(id))
    .map(({ id }) => id);
}

/** Quarantine excuses a test, and a task's leave to change the file excuses what is gone from it. */
function isHeldTo(ctx: CheckContext, { kind, name }: OwnProof, id: string): boolean {
  if (ctx.quarantine?.has(id)) return false;
  const mayChange = kind === 'test' && matchesAny(name, ctx.task.mayChange);
  return !mayChange || !ctx.changes.some(({ path }) => path === name);
}

function describe(run: TestRun, id: string): string {
  const result = run.results.find(one => one.id === id);
  const why = result?.message ?? run.reportProblem ?? run.outputTail.trim();
  return why === '' ? '' : ` — ${why.slice(-600)}`;
}

function getFinding(ctx: CheckContext, part: OwnProof, what: string, unsteady: boolean): string {
  const { task, kind, name } = part;
  const how = unsteady
    ? 'passes on the base and with the change only now and then'
    : 'passed before and fails now';
  const undo = `if task ${ctx.task.id} is meant to undo that, a person has to change what proves task ${task}`;
  return `${kind === 'held-out' ? 'held-out ' : ''}${name}, which proved task ${task}, ${how} (${undo})${what}`;
}
