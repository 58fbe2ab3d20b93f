import { matchesAny } from '../core/base/glob.ts';
import { getImportName } from '../core/code/judge-files.ts';
import type { Observed, ObservedFile } from '../core/model/check.ts';
import { isBacklogPath } from '../core/model/policy.ts';
import type { FileChange } from '../ports/index.ts';
import { type CheckContext, defineCheck } from './shared/context.ts';
import { readRuns, readSideFiles } from './shared/read-judge-files.ts';
import { readAddedRole, readRole } from './tests/file-role.ts';

/** Only a person can widen what a task may touch. */
const ASK = 'if the task cannot be done without it, ask a person: may_change on the task allows it';

/**
 * What judged the work is not of its own making: by what the commands of the proof opened, on the base and now.
 * Files of the base that only the judge uses must be as they were; new ones that it needs make the coder a
 * co-author of the test, for somebody else to read.
 */
export const observed = defineCheck('observed', async ctx => {
  const roles = await readRoles(ctx);
  const observed = await readObserved(ctx, roles);
  const findings = [
    ...roles
      .filter(({ role }) => role === 'judge')
      .map(
        ({ path, kind, why }) =>
          `${path} was ${kind}; ${why}, so it is protected: put it back as it was (${ASK})`,
      ),
    ...(await findDisplaced(ctx)),
  ];
  if (findings.length > 0) {
    const summary = `${findings.length} things that judge the work were changed`;
    return { status: 'failed', summary, findings, observed };
  }
  const shared = roles.filter(({ role }) => role === 'shared');
  if (shared.length === 0)
    return { status: 'passed', summary: 'nothing that was changed has a part in judging it', observed };
  const lines = shared.map(({ path, why }) => `${path}: ${why}`);
  const summary = `the work brings ${shared.length} files that help to judge it: they are treated as tests`;
  return { status: 'passed', summary, findings: lines, observed };
});

/** Beyond this nobody reads on. */
const MAX_SHOWN = 100;

/** What is told in the proof: the judge's own files as they were opened, and what each changed file was. */
async function readObserved(ctx: CheckContext, roles: readonly FileWithRole[]): Promise<Observed> {
  const runs = await readRuns(ctx, 'candidate');
  const { judge } = await readSideFiles(ctx, 'candidate');
  const opened = [...new Set(runs.flatMap(run => run.opened ?? []))];
  const changed = roles.map(({ path, role, why }): ObservedFile => ({ path, role: role, why }));
  const own = opened.flatMap((path): readonly ObservedFile[] => {
    if (roles.some(role => role.path === path) || !judge.isOfTests(path)) return [];
    if (judge.tests.has(path)) return [{ path, role: 'test', why: 'the runner collected it' }];
    return [{ path, role: 'helper', why: 'it lies among the tests' }];
  });
  const unseen = runs.filter(run => !run.opened).map(({ command }) => command);
  return { files: [...changed, ...own.slice(0, MAX_SHOWN)], unseen };
}

/** Files by which the coder had a hand in judging its own work. */
export async function readShared(ctx: CheckContext): Promise<readonly string[]> {
  return (await readRoles(ctx)).filter(({ role }) => role === 'shared').map(({ path }) => path);
}

type FileWithRole = FileChange & Awaited<ReturnType<typeof readRole>>;

function readRoles(ctx: CheckContext): Promise<readonly FileWithRole[]> {
  return ctx.tests.once('roles of changed files', async () => {
    const { judge } = await readSideFiles(ctx, 'base');
    const roles: FileWithRole[] = [];
    for (const change of ctx.changes) {
      const { path, kind } = change;
      if (isBacklogPath(ctx.policy, path) || path === ctx.policy.notesPath) continue;
      if (matchesAny(path, ctx.task.mayChange) || path === ctx.task.testFile) continue;
      if (kind !== 'added' && judge.isOfTests(path)) continue;
      roles.push({
        ...change,
        ...(kind === 'added' ? await readAddedRole(ctx, path) : await readRole(ctx, change)),
      });
    }
    return roles;
  });
}

/** Files that tests opened on the base and leave aside now, for a new one that answers to the same name. */
async function findDisplaced(ctx: CheckContext): Promise<readonly string[]> {
  const changed = new Set(ctx.changes.map(({ path }) => path));
  const added = ctx.changes.filter(({ path, kind }) => kind === 'added' && path !== ctx.task.testFile);
  if (added.length === 0) return [];
  const runsBefore = await readRuns(ctx, 'base');
  return (await readRuns(ctx, 'candidate')).flatMap(({ what, opened }) => {
    const before = runsBefore.find(run => run.what === what);
    if (!opened || !before?.opened) return [];
    const now = new Set(opened);
    const left = before.opened.filter(path => !now.has(path) && !changed.has(path));
    return added.flatMap(({ path }) => {
      const rival = now.has(path) && left.find(each => getImportName(each) === getImportName(path));
      return rival ? [`${path} was added, and tests now open it in the place of ${rival} (${ASK})`] : [];
    });
  });
}
