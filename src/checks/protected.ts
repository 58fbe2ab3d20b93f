import { matchesAny } from '../core/glob.ts';
import { isBacklogPath } from '../core/policy.ts';
import { isStub } from '../core/stub-mark.ts';
import type { FileChange } from '../ports.ts';
import { type CheckContext, defineCheck } from './context.ts';
import { readProofFiles } from './proof-files.ts';
import { findShadowed } from './shadowed.ts';
import { findTestOnly } from './test-only-files.ts';

/** Only a person can widen what a task may touch. */
const ASK = 'if the task cannot be done without it, ask a person: may_change on the task allows it';

/** Tests that were there before, runner and lint config, lockfiles, scripts, CI: byte-equal to the base. */
export const protectedFiles = defineCheck('protected', async ctx => {
  const findings: string[] = [];
  const guarded = await readGuarded(ctx);
  for (const change of ctx.changes) {
    const problem = await getProblem(ctx, change, guarded);
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

/** Files of the base that no list names and that still decide what is green, with the reason. */
async function readGuarded(ctx: CheckContext): Promise<ReadonlyMap<string, string>> {
  const [proof, testOnly] = [await readProofFiles(ctx), await findTestOnly(ctx)];
  return new Map([
    ...[...testOnly].map(path => [path, 'tests use it and nothing else does'] as const),
    ...[...proof.keys()].map(path => [path, 'the commands that prove the work use it'] as const),
  ]);
}

async function getProblem(
  ctx: CheckContext,
  change: FileChange,
  guarded: ReadonlyMap<string, string>,
): Promise<string | null> {
  const { policy, task } = ctx;
  const { path, kind, mode } = change;
  if (kind !== 'deleted' && mode === '160000')
    return `${path} is a nested repository, which cannot be verified`;
  if (kind !== 'deleted' && mode === '120000' && (await pointsOutside(ctx, path))) {
    return `${path} is a link that points outside the project`;
  }
  if (isBacklogPath(policy, path) || path === policy.notesPath) return null;
  if (matchesAny(path, task.mayChange)) return null;
  if (matchesAny(path, getGlobs(policy.protectedGlobs, path)))
    return `${path} was ${kind}; it is protected: put it back (${ASK})`;
  const why = kind === 'added' ? undefined : guarded.get(path);
  if (why) return `${path} was ${kind}; ${why}, so it is protected: put it back (${ASK})`;
  const shadowed = kind === 'added' ? await findShadowed(ctx, path, [...guarded.keys()]) : null;
  if (shadowed) return `${path} was added beside ${shadowed} and could stand in for it (${ASK})`;
  if (isTest(ctx, path) && !(await mayWriteTest(ctx, change))) {
    return ctx.task.kind === 'cleanup'
      ? `${path} was ${kind}; a clean-up touches no tests: put it back`
      : `${path} was ${kind}; tests that exist already are protected: put it back (${ASK})`;
  }
  return null;
}

/** A list of variables for people to fill in is no environment. */
function getGlobs(globs: readonly string[], path: string): readonly string[] {
  return SAMPLE_ENV.test(path) ? globs.filter(glob => !glob.endsWith('/.env*')) : globs;
}

const SAMPLE_ENV = /(^|\/)\.env\.(example|sample|template)$/;

function isTest(ctx: CheckContext, path: string): boolean {
  return path === ctx.task.testFile || matchesAny(path, ctx.policy.testGlobs);
}

/** New tests may be added; existing ones are the approved ones, unless the coder owns its own test file. */
async function mayWriteTest(ctx: CheckContext, { path, kind }: FileChange): Promise<boolean> {
  if (ctx.task.kind === 'cleanup') return false;
  if (kind === 'added') return true;
  if (kind !== 'modified' || path !== ctx.task.testFile) return false;
  return ctx.policy.testsBy === 'coder' || isStub(await ctx.ports.workspace.readFile(ctx.baseTree, path));
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
