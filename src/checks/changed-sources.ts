import { getTestFile } from '../core/testing.ts';
import type { FileChange } from '../ports.ts';
import type { CheckContext } from './context.ts';
import { readSideFiles } from './read-judge-files.ts';

export interface ChangedSource {
  readonly path: string;
  /** Null when the file is new. */
  readonly before: string | null;
  readonly after: string;
}

/** What the candidate changed besides tests, the backlog and the notes, with both texts. */
export async function readChangedSources(ctx: CheckContext): Promise<readonly ChangedSource[]> {
  const { workspace } = ctx.ports;
  const sources: ChangedSource[] = [];
  for (const change of ctx.changes) {
    if (!(await isSource(ctx, change))) continue;
    const after = await workspace.readFile(ctx.candidate.commit, change.path);
    if (after === null || after.includes('\0')) continue;
    const before =
      change.kind === 'added'
        ? await readOrigin(ctx, change.path, after)
        : await workspace.readFile(ctx.baseTree, change.path);
    sources.push({ path: change.path, before, after });
  }
  return sources;
}

/** A new file that holds most of a deleted one is that one under another name. */
async function readOrigin(ctx: CheckContext, path: string, after: string): Promise<string | null> {
  const lines = new Set(getMeant(after));
  for (const change of ctx.changes) {
    if (change.kind !== 'deleted' || getExtension(change.path) !== getExtension(path)) continue;
    const before = await ctx.ports.workspace.readFile(ctx.baseTree, change.path);
    const was = getMeant(before ?? '');
    if (was.length > 0 && was.filter(line => lines.has(line)).length * 2 > was.length) return before;
  }
  return null;
}

function getMeant(text: string): readonly string[] {
  return text.split('\n').filter(line => line.trim().length > 1);
}

function getExtension(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/**
 * Whether a file belongs to the tests: the runner has collected it, on the base or in a run of the candidate up to
 * now, or it lies in a folder of tests.
 */
export async function isTestPath(ctx: CheckContext, path: string): Promise<boolean> {
  if (path === ctx.task.testFile) return true;
  const isCollected = ctx.runs?.some(
    ({ tree, run }) => tree === ctx.candidate.tree && run.results.some(({ id }) => getTestFile(id) === path),
  );
  return isCollected || (await readSideFiles(ctx, 'base')).judge.isOfTests(path);
}

/** Those of some files that belong to the tests. */
export async function findTests(ctx: CheckContext, paths: readonly string[]): Promise<readonly string[]> {
  const isTest = await Promise.all(paths.map(path => isTestPath(ctx, path)));
  return paths.filter((_, at) => isTest[at]);
}

/** Whether the agent wrote or rewrote the test that judges its work. */
export function wroteOwnTest(ctx: CheckContext): boolean {
  return ctx.changes.some(change => change.path === ctx.task.testFile);
}

async function isSource(ctx: CheckContext, { path, kind, mode }: FileChange): Promise<boolean> {
  if (kind === 'deleted' || !mode.startsWith('100')) return false;
  return path !== ctx.policy.backlogPath && path !== ctx.policy.notesPath && !(await isTestPath(ctx, path));
}
