import { HarnessError } from '../core/base/failure.ts';
import { getUsefulLine } from '../core/base/useful-line.ts';
import { getSatisfying } from '../core/decide/satisfied.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import type { ErrorCategory, PreflightCheck } from '../core/model/facts.ts';
import { getBudget } from '../core/people/budget.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { getFeatureCommand } from '../core/testing/test-command.ts';
import { getStartProblem } from '../core/testing/unstarted.ts';
import { checkAlone } from '../testruns/base-alone.ts';
import { type BaseShell, openBase } from '../testruns/base-command.ts';
import { measureBaseline } from '../testruns/baseline.ts';
import { findRegressions, isMended } from '../testruns/find-regressions.ts';
import { checkDirectory, checkFiles, checkGit } from '../testruns/ground.ts';
import { getHow, install, noteBirth } from '../testruns/install.ts';
import { checkLocalFiles } from '../testruns/local-files.ts';
import { getValidation, isAllGreen, runOwnProof } from '../testruns/own-proof.ts';
import { layOut } from '../testruns/test-runs.ts';
import { getUnderWay, type StepContext, type StepResult } from './step.ts';

/** Makes sure the ground is firm before an agent is paid to stand on it. */
export async function preflight(ctx: StepContext, taskId: string): Promise<StepResult> {
  const { attempt } = getUnderWay(ctx, taskId);
  const { preflight: wanted } = ctx.policy;
  const checks: PreflightCheck[] = [];
  const facts: HarnessEvent[] = [];
  const shell = openBase(ctx, attempt);
  const plan: [string, boolean, ErrorCategory, () => Promise<string>][] = [
    ['provable', true, 'CONFIG', async () => checkProvable(ctx, taskId)],
    ['working_directory', wanted.workingDirectory, 'ENV_SETUP', () => ensureDirectory(ctx, attempt)],
    ['harness_files', wanted.harnessFiles, 'ENV_SETUP', () => checkFiles(ctx, attempt)],
    ['git_state', wanted.gitState, 'ENV_SETUP', () => checkGit(ctx, attempt)],
    ['environment', wanted.environment, 'ENV_SETUP', () => startEnvironment(ctx, attempt, shell)],
    ['whole_tree', ctx.ports.workspace.findGaps !== undefined, 'ENV_SETUP', () => checkWhole(ctx, attempt)],
    ['health', wanted.environment, 'ENV_SETUP', () => checkHealth(ctx, shell)],
    ['baseline_tests', wanted.baselineTests, 'ENV_SETUP', () => checkBaseline(ctx, attempt, facts)],
    ['budget', wanted.budget, 'CONFIG', async () => checkBudget(ctx)],
  ];
  for (const [name, isWanted, category, check] of plan) {
    if (!isWanted) continue;
    const startedMs = ctx.ports.clock.monotonicMs();
    const { passed, detail } = await attemptCheck(check, ctx.signal);
    checks.push({ name, passed, detail, durationMs: Math.round(ctx.ports.clock.monotonicMs() - startedMs) });
    if (!passed) {
      const reason = `${name}: ${detail}`;
      return {
        events: [
          ...facts,
          { type: 'preflight.failed', task: taskId, attempt: attempt.number, checks, reason, category },
        ],
      };
    }
  }
  const undone = wanted.baselineTests ? await getUndone(ctx, taskId, facts) : null;
  if (undone !== null) {
    const { detail, ...rest } = undone;
    const reason = `dependencies: ${detail}`;
    checks.push({ name: 'dependencies', passed: false, detail, durationMs: 0 });
    const failed = { type: 'preflight.failed', checks, reason, category: 'DEPENDENCY' } as const;
    return { events: [...facts, { ...failed, ...rest, task: taskId, attempt: attempt.number }] };
  }
  const satisfied = await getSatisfied(ctx, taskId);
  if (satisfied !== null) {
    checks.push({ name: 'open', passed: false, detail: satisfied, durationMs: 0 });
    const failed = { type: 'preflight.failed', checks, reason: satisfied, category: 'CONFIG' } as const;
    return { events: [...facts, { ...failed, satisfied: true, task: taskId, attempt: attempt.number }] };
  }
  return { events: [...facts, { type: 'preflight.passed', task: taskId, attempt: attempt.number, checks }] };
}

/** A proof that is green before any work proves none: nobody is paid for it until a person has said what for. */
async function getSatisfied(ctx: StepContext, taskId: string): Promise<string | null> {
  const { task, attempt } = getUnderWay(ctx, taskId);
  const validation = task.waived.has('satisfied') || attempt.isAuthor ? null : getSatisfying(task.def);
  if (validation === null) return null;
  const where = { slot: attempt.slot, side: 'base', tree: attempt.baseTree } as const;
  const proof = getValidation(taskId, validation);
  const run = await runOwnProof(ctx, proof, { ...where, purpose: 'validation, base' });
  if (!isAllGreen(run)) return null;
  return `\`${validation.command}\` passes at ${attempt.base.slice(0, 10)} without any work`;
}

/** What keeps this attempt from beginning although the ground is firm: others' work is broken, or its own is mended. */
async function getUndone(
  ctx: StepContext,
  taskId: string,
  facts: HarnessEvent[],
): Promise<{ readonly detail: string; readonly mended?: true } | null> {
  const { task, attempt } = getUnderWay(ctx, taskId);
  const { slot, base: commit, baseTree: tree } = attempt;
  const where = { slot, commit, tree };
  if (await isMended(ctx, task, where))
    return { detail: `${task.reopened?.tests[0]} passes again: nothing is left to do`, mended: true };
  const baseline = facts.find(fact => fact.type === 'baseline.measured') ?? ctx.state.suite.baseline;
  const known = baseline ?? { tree, passing: [], failing: [] };
  const { found } = await findRegressions(ctx, where, known, ctx.policy.regression.budgetMs);
  facts.push(...found.map(regression => ({ type: 'task.reopened', ...regression }) as const));
  return found.length === 0 ? null : { detail: found.map(({ reason }) => reason).join('; ') };
}

/** A cache that was cleared since the worktree was laid out took it along: it is laid out once more. */
async function ensureDirectory(ctx: StepContext, attempt: Attempt): Promise<string> {
  try {
    return await checkDirectory(ctx, attempt);
  } catch (error) {
    if (!attempt.checkpoint) throw error;
    await noteBirth(ctx, await ctx.ports.workspace.prepare(attempt.slot, attempt.checkpoint.commit));
    return checkDirectory(ctx, attempt);
  }
}

/** A HarnessError is a finding; anything else is a bug and goes up. */
async function attemptCheck(
  check: () => Promise<string>,
  signal: AbortSignal,
): Promise<{ passed: boolean; detail: string }> {
  try {
    return { passed: true, detail: await check() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HarnessError) {
      const { fix } = error.details;
      return { passed: false, detail: fix ? `${error.message}\n      fix: ${fix}` : error.message };
    }
    throw error;
  }
}

/** No agent is paid for a task that nothing could prove. */
function checkProvable(ctx: StepContext, taskId: string): string {
  const { def } = getUnderWay(ctx, taskId).task;
  if (def.verificationType === 'manual') return 'by a person';
  if (def.kind === 'cleanup') return 'by the suite';
  if (def.validation) return 'by its validation command';
  if (def.testFile && getFeatureCommand(ctx.policy.testing, def.testFile) !== null)
    return `by ${def.testFile}`;
  throw new HarnessError(
    'config',
    `no command is configured that could prove task ${taskId}: set testing.full or testing.feature`,
    {
      field: 'testing.full',
    },
  );
}

function checkBudget(ctx: StepContext): string {
  const { totalUsd } = getBudget(ctx.policy, ctx.state);
  const left = totalUsd - ctx.state.costs.usage.costUsd;
  if (left <= 0)
    throw new HarnessError('budget', `nothing is left of $${totalUsd}`, {
      field: 'costs.total_project_usd',
    });
  return `$${left.toFixed(2)} left`;
}

async function startEnvironment(ctx: StepContext, attempt: Attempt, shell: BaseShell): Promise<string> {
  const { environment, preflight: wanted } = ctx.policy;
  await install(ctx, attempt.dir ?? '', attempt.baseTree, ctx.signal);
  if (environment.init) await initOrReset(ctx, shell, wanted.autoReset ? wanted.maxResetAttempts : 0);
  return environment.init ? 'started' : 'nothing to start';
}

/** What tests cannot see where work is judged they do not guard: nobody is paid before a person knows. */
async function checkWhole(ctx: StepContext, { slot, baseTree: tree }: Attempt): Promise<string> {
  await layOut(ctx, { slot, side: 'base', tree, signal: ctx.signal });
  return 'nothing is missing that nobody has accepted';
}

async function checkHealth(ctx: StepContext, shell: BaseShell): Promise<string> {
  const { healthCheck } = ctx.policy.environment;
  if (healthCheck === null) return 'no health check is configured';
  await runOrThrow(ctx, shell, 'environment.health_check', healthCheck);
  return 'healthy';
}

async function initOrReset(ctx: StepContext, shell: BaseShell, resetsLeft: number): Promise<void> {
  const { init, reset } = ctx.policy.environment;
  try {
    await runOrThrow(ctx, shell, 'environment.init', init as string);
  } catch (error) {
    if (!reset || resetsLeft <= 0) throw error;
    await runOrThrow(ctx, shell, 'environment.reset', reset);
    await initOrReset(ctx, shell, resetsLeft - 1);
  }
}

async function runOrThrow(ctx: StepContext, shell: BaseShell, field: string, command: string): Promise<void> {
  const result = await shell(command);
  if (result.exitCode === 0) return;
  const how = getHow(result, ctx.policy.commandTimeoutMs);
  const said = `${getUsefulLine(result.output)}\n${result.output.slice(-1_500)}`;
  throw new HarnessError('environment', `${field} (${command}) failed (${how}): ${said}`, {
    field,
  });
}

/** Remembers what passes before the session; a suite that cannot even start is a broken environment. */
async function checkBaseline(ctx: StepContext, attempt: Attempt, facts: HarnessEvent[]): Promise<string> {
  const tree = attempt.baseTree;
  const awaited = [...getAwaited(ctx)];
  const { baseline, run } = await measureBaseline(
    { ...ctx, awaited },
    { slot: attempt.slot, tree, signal: ctx.signal },
  );
  if (!run) return 'no test suite is configured';
  if (run.timedOut)
    throw new HarnessError(
      'environment',
      `${run.command} ran out of time on the base: a test that never ends there has to be mended first`,
      {
        field: 'testing.full',
      },
    );
  if (run.exitCode === 126 || run.exitCode === 127 || run.exitCode === null) {
    throw new HarnessError(
      'environment',
      `${run.command} could not be started: ${run.outputTail.trim().slice(-500)}`,
      { field: 'testing.full', fix: `set testing.full in ${ctx.policy.configPath} to what runs the tests` },
    );
  }
  const { testing, environment } = ctx.policy;
  const problem = getStartProblem(run, testing.runner, environment.install);
  if (problem) throw new HarnessError('environment', problem, { field: 'environment.install' });
  const where = { slot: attempt.slot, tree, signal: ctx.signal };
  const own = ctx.state.tasks.get(attempt.task)?.def.testFile ?? null;
  await checkAlone(ctx, baseline, where, own);
  if (await checkLocalFiles(ctx, baseline, getAwaited(ctx), where)) return checkBaseline(ctx, attempt, facts);
  if (ctx.state.suite.baseline?.tree !== tree) {
    facts.push({
      type: 'baseline.measured',
      tree,
      command: run.command,
      passing: baseline.passing,
      failing: baseline.failing,
    });
  }
  return run.reportProblem ?? `${baseline.passing.length} pass, ${baseline.failing.length} fail`;
}

/** Tests of tasks that are still to be done are red for a good reason. */
function getAwaited({ state }: StepContext): ReadonlySet<string> {
  const open = [...state.tasks.values()].filter(({ status }) => status !== 'landed' && status !== 'removed');
  return new Set(open.flatMap(({ def }) => def.testFile ?? []));
}
