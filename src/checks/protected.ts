import { matchesAny } from '../core/base/glob.ts';
import { getFolded, matchesFolded } from '../core/base/tree-path.ts';
import { canScan } from '../core/code/imports.ts';
import { isStub } from '../core/code/stub-mark.ts';
import { isBacklogPath } from '../core/model/policy.ts';
import type { FileChange } from '../ports/index.ts';
import { type CheckContext, defineCheck } from './shared/context.ts';
import { readSideFiles } from './shared/read-judge-files.ts';

/** Only a person can widen what a task may touch. */
const ASK = 'if the task cannot be done without it, ask a person: may_change on the task allows it';

/** Tests that were there before and what lies in their folders, lockfiles, CI and the like: byte-equal to the base. */
export const protectedFiles = defineCheck('protected', async ctx => {
  const findings: string[] = [];
  for (const change of ctx.changes) {
    const problem = await getProblem(ctx, change);
    if (problem) findings.push(problem);
  }
  findings.push(...(await getAuthoredProblems(ctx)));
  if (findings.length === 0) return { status: 'passed', summary: 'no protected file was changed' };
  return { status: 'failed', summary: `${findings.length} protected files were changed`, findings };
});

/** Tests that somebody else wrote for this task are as they were written, unless the base has its own by now. */
async function getAuthoredProblems(ctx: CheckContext): Promise<readonly string[]> {
  const { workspace } = ctx.ports;
  const problems: string[] = [];
  for (const [path, blob] of Object.entries(ctx.attempt.tests ?? {})) {
    if (matchesAny(path, ctx.task.mayChange)) continue;
    if ((await workspace.blobId(ctx.baseTree, path)) !== null) continue;
    if ((await workspace.blobId(ctx.candidate.commit, path)) !== blob)
      problems.push(
        `${path} was written for this task by its test author and is protected: put it back (${ASK})`,
      );
  }
  return problems;
}

async function getProblem(ctx: CheckContext, change: FileChange): Promise<string | null> {
  const { policy, task } = ctx;
  const { path, kind, mode } = change;
  if (kind !== 'deleted' && mode === '160000')
    return `${path} is a nested repository, which cannot be verified`;
  if (kind !== 'deleted' && mode === '120000' && (await pointsOutside(ctx, path))) {
    return `${path} is a link that points outside the project`;
  }
  if (isBacklogPath(policy, path) || path === policy.notesPath) return null;
  if (matchesAny(path, task.mayChange)) return null;
  if (matchesFolded(path, policy.protectedGlobs))
    return `${path} was ${kind}; it is protected: put it back (${ASK})`;
  if (path === task.testFile && (await mayWriteOwn(ctx, change))) return null;
  const { files, judge } = await readSideFiles(ctx, 'base');
  if (kind === 'added') {
    if (task.kind === 'cleanup' && judge.isOfTests(path))
      return `${path} was added; a clean-up touches no tests: put it back`;
    const twin = [...files].find(file => getFolded(file) === getFolded(path));
    return twin && judge.isOfTests(twin)
      ? `${path} is ${twin} on a disk that ignores capitals (${ASK})`
      : null;
  }
  if (!judge.isOfTests(path) || (!canScan(path) && judge.getUsers(path) === 'product')) return null;
  if (task.kind === 'cleanup') return `${path} was ${kind}; a clean-up touches no tests: put it back`;
  const what = judge.tests.has(path) ? 'tests that exist already are' : 'it lies among the tests, so it is';
  return `${path} was ${kind}; ${what} protected: put it back (${ASK})`;
}

/** Existing tests are the approved ones, unless the coder owns its own test file. */
async function mayWriteOwn(ctx: CheckContext, { path, kind }: FileChange): Promise<boolean> {
  if (ctx.task.kind === 'cleanup' || kind === 'deleted') return false;
  if (kind === 'added' || ctx.policy.testsBy === 'coder') return true;
  return isStub(await ctx.ports.workspace.readFile(ctx.baseTree, path));
}

async function pointsOutside(ctx: CheckContext, path: string): Promise<boolean> {
  const target = await ctx.ports.workspace.readFile(ctx.candidate.commit, path);
  if (target === null || target.startsWith('/')) return true;
  const parts = target.split('/').filter(part => part !== '.' && part !== '');
  const up = parts.findIndex(part => part !== '..');
  const depth = path.split('/').length - 1;
  // What `..` means behind a name depends on where that name leads: it could be another link.
  return up === -1 ? parts.length > depth : up > depth || parts.slice(up).includes('..');
}
