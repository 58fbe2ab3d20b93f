import { leavesToChance } from '../../core/base/chance.ts';
import { getExtension } from '../../core/base/tree-path.ts';
import { getChangedLines } from '../../core/code/changed-lines.ts';
import { canScan } from '../../core/code/imports.ts';
import { getImportName } from '../../core/code/judge-files.ts';
import { isBacklogPath } from '../../core/model/policy.ts';
import { getTestFile, isExample } from '../../core/model/testing.ts';
import type { FileChange } from '../../ports/index.ts';
import type { CheckContext } from './context.ts';
import { readSideFiles } from './read-judge-files.ts';
import { tryEmptied } from './trials.ts';

export interface ChangedSource {
  readonly path: string;
  /** Null when the file is new. */
  readonly before: string | null;
  readonly after: string;
}

/** What the candidate changed besides tests, the backlog and the notes, with both texts. */
export async function readChangedSources(ctx: CheckContext): Promise<readonly ChangedSource[]> {
  const { workspace } = ctx.ports;
  const isTest = await readIsTest(ctx);
  const changes = ctx.changes.filter(change => isSource(ctx, change) && !isTest(change.path));
  const gone = ctx.changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path);
  const sources = await mapMany(changes, async ({ path, kind }): Promise<ChangedSource | null> => {
    const after = await workspace.readFile(ctx.candidate.commit, path);
    if (after === null || after.includes('\0')) return null;
    const before =
      kind === 'added'
        ? await readOrigin(ctx, path, after, gone)
        : await workspace.readFile(ctx.baseTree, path);
    return { path, before, after };
  });
  return sources.filter(source => source !== null);
}

/** A new file that holds most of a deleted one is that one under another name. */
async function readOrigin(
  ctx: CheckContext,
  path: string,
  after: string,
  gone: readonly string[],
): Promise<string | null> {
  const candidates = gone.filter(other => getExtension(other) === getExtension(path));
  if (candidates.length === 0) return null;
  const lines = new Set(getMeant(after));
  for (const other of candidates) {
    const before = await ctx.ports.workspace.readFile(ctx.baseTree, other);
    const was = getMeant(before ?? '');
    if (was.length > 0 && was.filter(line => lines.has(line)).length * 2 > was.length) return before;
  }
  return null;
}

function getMeant(text: string): readonly string[] {
  return text.split('\n').filter(line => line.trim().length > 1);
}

/**
 * Tells which files belong to the tests: those that the runner has collected, on the base or in a run of the
 * candidate up to now, and what lies in a folder of tests; not those that hold tests of themselves beside what
 * others test. Without a suite, those that the validation's own runner collects.
 */
export async function readIsTest(ctx: CheckContext): Promise<(path: string) => boolean> {
  const ids = ctx.tests.records
    .filter(({ tree }) => tree === ctx.candidate.tree)
    .flatMap(({ run }) => run.results.map(({ id }) => id))
    .filter(id => !isExample(id))
    .map(getTestFile);
  const collected = new Set(ctx.task.testFile === null ? ids : [...ids, ctx.task.testFile]);
  const { judge, subjects } = await readSideFiles(ctx, 'base');
  for (const path of [...subjects, ...(await findNewSubjects(ctx, collected))]) collected.delete(path);
  if (ctx.policy.testing.full !== null) return path => collected.has(path) || judge.isOfTests(path);
  const now = (await readSideFiles(ctx, 'candidate')).judge;
  // What the product names is none of its tests, whatever a validation runs.
  const isTest = (path: string) => now.isOfTests(path) && now.getNamers(path).length === 0;
  return path => path === ctx.task.testFile || judge.isOfTests(path) || isTest(path);
}

/** New programs that hold tests of themselves: the task's own test names them, and goes red when they do nothing. */
async function findNewSubjects(
  ctx: CheckContext,
  collected: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { testFile: own } = ctx.task;
  const added = ctx.changes.filter(
    ({ path, kind }) => kind === 'added' && collected.has(path) && path !== own,
  );
  const text =
    (own && added.length > 0 && (await ctx.ports.workspace.readFile(ctx.candidate.tree, own))) || '';
  const named = added
    .map(({ path }) => path)
    .filter(path => canScan(path) && text.includes(getImportName(path)));
  const subjects: string[] = [];
  for (const path of named)
    if ((await tryEmptied(ctx, 'candidate', path, { users: [own ?? ''] })) === 'red') subjects.push(path);
  return subjects;
}

function isSource({ policy }: CheckContext, { path, kind, mode }: FileChange): boolean {
  if (kind === 'deleted' || !mode.startsWith('100')) return false;
  return !isBacklogPath(policy, path) && path !== policy.notesPath;
}

/** The base with every test that the candidate adds or changes. */
export async function composeReversal(ctx: CheckContext): Promise<string> {
  const changed = ctx.changes.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path);
  const isTest = await readIsTest(ctx);
  const tests = changed.filter(isTest);
  if (tests.length === 0) return ctx.baseTree;
  // A test that looks whether its task is marked as done would turn red here for that alone.
  const notes = changed.filter(path => isBacklogPath(ctx.policy, path) || path === ctx.policy.notesPath);
  const paths = [...tests, ...notes];
  return ctx.ports.workspace.compose({ tree: ctx.baseTree, take: [{ from: ctx.candidate.commit, paths }] });
}

/** Whether new code may say something else the next time. */
export async function hasChance(ctx: CheckContext): Promise<boolean> {
  const sources = await readChangedSources(ctx);
  return sources.some(({ before, after }) => {
    const lines = after.split('\n');
    return getChangedLines(before, after).some(line => leavesToChance(lines[line - 1] ?? ''));
  });
}

/** Files that are read side by side: waiting for each alone is most of the time, and all at once most of the memory. */
const AT_ONCE = 64;

/** The same for every item, some at a time; the answers are in order. */
export async function mapMany<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  return results;
}
