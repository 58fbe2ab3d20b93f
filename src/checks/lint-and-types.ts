import { matchesAny } from '../core/base/glob.ts';
import { isCompiled } from '../core/code/source-files.ts';
import type { CheckName, CheckResult } from '../core/model/check.ts';
import type { TestRun } from '../core/model/testing.ts';
import { countProblems, getNewLines, isWorse, type ProblemCount } from '../core/testing/count-problems.ts';
import type { FileChange } from '../ports/index.ts';
import type { Side } from '../testruns/worktrees.ts';
import { type CheckContext, defineCheck } from './shared/context.ts';
import { readSideFiles } from './shared/read-judge-files.ts';

/** Lint is no worse than on the base; whether worse blocks or only warns is the project's choice, save for a clean-up. */
export const lint = defineCheck('lint', async ctx => {
  const { lintCommand: command, lintBlocks } = ctx.policy;
  const blocks = lintBlocks || ctx.task.kind === 'cleanup';
  if (command === null) return { status: 'skipped', summary: 'no lint command is configured' };
  return judgeAgainstBase(ctx, { check: 'lint', name: 'lint', command, blocks });
});

/** Types fit no worse than on the base; a project that has them checked wants that to hold. */
export const types = defineCheck('types', async ctx => {
  const { typeCheckCommand: command, typeCheckBlocks: blocks } = ctx.policy;
  if (command === null) return { status: 'skipped', summary: 'no type check is configured' };
  return judgeAgainstBase(ctx, { check: 'types', name: 'the type check', command, blocks });
});

/** A program that finds fault with code. */
interface Tool {
  readonly check: Extract<CheckName, 'lint' | 'types'>;
  /** What people call it. */
  readonly name: string;
  readonly command: string;
  /** A worse result rejects, or only warns. */
  readonly blocks: boolean;
}

type Judgement = Pick<CheckResult, 'status' | 'summary'> &
  Partial<Pick<CheckResult, 'findings' | 'commands' | 'measures'>>;

/** Whether a tool finds more fault with the candidate than it did with the base. */
async function judgeAgainstBase(ctx: CheckContext, tool: Tool): Promise<Judgement> {
  const after = await runTool(ctx, tool, 'candidate', ctx.candidate.tree);
  const count = after.exitCode === 0 ? getCleanCount(after) : getCount(after);
  const shown = { commands: [tool.command], ...(count ? { measures: { ...count } } : {}) };
  if (after.exitCode === 0) {
    const worse = await judgeWithOldSettings(ctx, tool, after);
    return { ...(worse ?? { status: 'passed', summary: `${tool.name} is clean` }), ...shown };
  }
  const before = await runTool(ctx, tool, 'base', ctx.baseTree);
  return { ...compare(tool, before, after), ...shown };
}

/**
 * A clean result counts only if it is as clean where the files that no code uses are as they were: they may be the
 * tool's own settings, or the tool.
 */
async function judgeWithOldSettings(
  ctx: CheckContext,
  tool: Tool,
  after: TestRun,
): Promise<Judgement | null> {
  const seen = new Set(after.opened);
  const opened = ctx.changes.filter(({ path, kind }) => kind === 'deleted' || seen.has(path));
  const suspects = opened.length === 0 ? [] : await findUnused(ctx, opened);
  if (suspects.length === 0) return null;
  const take = [{ from: ctx.baseTree, paths: suspects }];
  const tree = await ctx.ports.workspace.compose({ tree: ctx.candidate.tree, take });
  const old = await runTool(ctx, tool, 'candidate', tree);
  if (old.exitCode === 0) return null;
  const before = await runTool(ctx, tool, 'base', ctx.baseTree);
  if (before.exitCode !== 0) return null;
  const summary = `${tool.name} is clean only with changes to ${suspects.join(', ')}`;
  const status = tool.blocks ? 'failed' : 'warned';
  return { status, summary, findings: [old.outputTail.slice(-2_000)] };
}

/** Changed files that no code uses, where the task does not say that they may change. */
async function findUnused(ctx: CheckContext, changes: readonly FileChange[]): Promise<readonly string[]> {
  const { judge } = await readSideFiles(ctx, 'candidate');
  return changes
    .map(({ path }) => path)
    .filter(path => !matchesAny(path, ctx.task.mayChange) && !isCompiled(path))
    .filter(path => judge.getUsers(path) === 'nobody' && !judge.isOfTests(path));
}

function compare(tool: Tool, before: TestRun, after: TestRun): Judgement {
  const worse = tool.blocks ? 'failed' : 'warned';
  const [had, has] = [getCount(before), getCount(after)];
  if (before.exitCode === 0) {
    const findings = [after.outputTail.slice(-2_000)];
    return { status: worse, summary: `${tool.name} was clean and no longer is`, findings };
  }
  // Without an end there is no count: what the base did not even finish cannot be held against anyone.
  if (had && !has && isUnfinished(after)) {
    const summary = `${tool.name} came to an end on the base and no longer does`;
    return { status: worse, summary, findings: [after.outputTail.slice(-2_000)] };
  }
  if (NOT_FOUND === before.exitCode && NOT_FOUND === after.exitCode) {
    const findings = [`"${tool.command}" ended with ${NOT_FOUND}: ${after.outputTail.slice(-500).trim()}`];
    return { status: 'warned', summary: `${tool.name} did not run: its program is not there`, findings };
  }
  if (!had || !has) {
    const findings = [`${tool.name} already failed on the base`];
    return { status: 'warned', summary: `${tool.name} fails as it did before`, findings };
  }
  const change = `${getWords(had)} before, ${getWords(has)} now`;
  if (isWorse(had, has)) {
    const fresh = getNewLines(before.outputTail, after.outputTail);
    return { status: worse, summary: `${tool.name} found more: ${change}`, findings: fresh };
  }
  const findings = [`${tool.name} already failed on the base (${change})`];
  return { status: 'warned', summary: `${tool.name} is no worse than before: ${change}`, findings };
}

/** How a shell ends that finds no such program. */
const NOT_FOUND = 127;

function getCount(run: TestRun): ProblemCount | null {
  return isUnfinished(run) ? null : countProblems(run.outputTail, run.isTailCut !== true);
}

/** A tool that is content may still have warned. */
function getCleanCount(run: TestRun): ProblemCount {
  return { errors: 0, warnings: getCount(run)?.warnings ?? 0 };
}

function isUnfinished(run: TestRun): boolean {
  return run.timedOut || run.exitCode === null;
}

function getWords({ errors, warnings }: ProblemCount): string {
  return warnings === 0 ? `${errors} errors` : `${errors} errors and ${warnings} warnings`;
}

function runTool(ctx: CheckContext, tool: Tool, side: Side, tree: string): Promise<TestRun> {
  return ctx.tests.run({
    purpose: `${tool.check}, ${side}`,
    side,
    tree,
    command: tool.command,
    runner: 'command',
    idWithoutReport: tool.check,
    timeoutMs: ctx.policy.commandTimeoutMs,
    notesOpened: true,
  });
}
