import { HarnessError } from '../core/base/failure.ts';
import { changedNothing } from '../core/decide/retry.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import type { ErrorCategory, PreflightCheck } from '../core/model/facts.ts';
import type { EnvironmentPolicy } from '../core/model/policy.ts';
import { canBeSatisfied, getBasis, isRepair } from '../core/model/task.ts';
import { getTestFile, type TestRun } from '../core/model/testing.ts';
import { getUnanswered } from '../core/people/project-question.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { getBudget } from '../core/state/costs.ts';
import { getNewlyRed } from '../core/state/suite.ts';
import { getFeatureCommand } from '../core/testing/test-command.ts';
import { getStartProblem } from '../core/testing/unstarted.ts';
import { createBringUp, getInitCommand } from '../testruns/bring-up.ts';
import { findRegressions, isFixed, seeRedAgain } from '../testruns/find-regressions.ts';
import { install, noteCreation } from '../testruns/install.ts';
import { measureSizes } from '../testruns/measure-sizes.ts';
import { getGreenProofs } from '../testruns/own-proof.ts';
import {
  checkAlone,
  checkDirectory,
  checkFiles,
  checkGit,
  checkLocalFiles,
  openBase,
} from '../testruns/preflight-checks.ts';
import { type Answer, checkLint, checkProgram } from '../testruns/preflight-tools.ts';
import type { TestRuns } from '../testruns/test-runs.ts';
import { getAwaited, getRef, openTests, type StepContext, type StepResult, type UnderWay } from './step.ts';

/** What the checks of one preflight share. */
interface PreflightContext extends UnderWay {
  readonly tests: TestRuns;
  /** As configured, and as scripts of the base say. */
  readonly environment: EnvironmentPolicy;
  readonly bringUp: ReturnType<typeof createBringUp>;
  /** Learnt on the way, and recorded however it ends. */
  readonly facts: HarnessEvent[];
}

/** Its name, whether it is wanted, what kind of fault it would be, and whose: the task's alone, or everybody's. */
type Named = readonly [string, boolean, ErrorCategory, () => Promise<Answer>, { readonly unprovable: true }?];

/** Makes sure of what an attempt builds on before an agent is paid. */
export async function preflight(ctx: StepContext, { task, attempt }: UnderWay): Promise<StepResult> {
  const { clock } = ctx.ports;
  const tests = openTests(ctx, attempt.slot, getAwaited(ctx));
  const init = await getInitCommand(ctx.policy, ctx.ports.workspace, attempt.base);
  const environment = { ...ctx.policy.environment, init };
  const on: PreflightContext = {
    task,
    attempt,
    tests,
    bringUp: createBringUp({ ...ctx.policy, environment }, openBase({ ...ctx, tests }, attempt)),
    environment,
    facts: [...(await measureSizes(ctx, attempt.baseTree))],
  };
  const ref = getRef(attempt);
  const checks: PreflightCheck[] = [];
  const fail = (name: string, detail: string, durationMs = 0) => {
    checks.push({ name, passed: false, detail, durationMs });
    return { type: 'preflight.failed', ...ref, checks } as const;
  };
  for (const [name, isWanted, category, check, whose] of getPlan(ctx, on)) {
    if (!isWanted) continue;
    const startedMs = clock.monotonicMs();
    const { passed, detail, ...rest } = await attemptCheck(check, ctx.signal);
    const durationMs = Math.round(clock.monotonicMs() - startedMs);
    if (passed) checks.push({ name, passed, detail, durationMs, ...rest });
    else {
      const failed = fail(name, detail, durationMs);
      return { events: [...on.facts, { ...failed, reason: `${name}: ${detail}`, category, ...whose }] };
    }
  }
  const undone = ctx.policy.preflight.baselineTests ? await getUndone(ctx, on) : null;
  if (undone !== null) {
    const { detail, ...rest } = undone;
    const failed = fail('dependencies', detail);
    const ending = { reason: `dependencies: ${detail}`, category: 'DEPENDENCY' } as const;
    return { events: [...on.facts, { ...failed, ...ending, ...rest }] };
  }
  const red = ctx.policy.preflight.baselineTests ? await getRedBase(ctx, on) : [];
  if (red.length > 0) {
    const detail = `${red.slice(0, 3).join(', ')} passed before and fails on the base`;
    const failed = fail('base', detail);
    const ending = { reason: `base: ${detail}`, category: 'DEPENDENCY', red } as const;
    return { events: [...on.facts, { ...failed, ...ending }] };
  }
  const reason = await getSatisfied(ctx, on);
  if (reason !== null) {
    const failed = fail('open', reason);
    return { events: [...on.facts, { ...failed, reason, category: 'CONFIG', satisfied: true }] };
  }
  return { events: [...on.facts, { type: 'preflight.passed', ...ref, checks }] };
}

/** What is looked at, in this order. */
function getPlan(ctx: StepContext, on: PreflightContext): readonly Named[] {
  const { attempt, tests } = on;
  const { preflight: wanted } = ctx.policy;
  const isWhole = ctx.ports.workspace.findGaps !== undefined;
  const { init, healthCheck } = on.environment;
  const isWanted = (command: string | null) => wanted.environment && command !== null;
  const { validation } = on.task.def;
  const { lintCommand } = ctx.policy;
  return [
    ['provable', true, 'CONFIG', async () => checkProvable(ctx, on)],
    ['working_directory', wanted.workingDirectory, 'ENV_SETUP', () => ensureDirectory(ctx, attempt)],
    ['harness_files', wanted.harnessFiles, 'ENV_SETUP', () => checkFiles(ctx, attempt)],
    ['git_state', wanted.gitState, 'ENV_SETUP', () => checkGit(ctx, attempt)],
    ['environment', wanted.environment, 'ENV_SETUP', () => installInWorktree(ctx, attempt)],
    ['init', isWanted(init), 'ENV_SETUP', on.bringUp.init],
    ['whole_tree', isWhole, 'ENV_SETUP', () => checkWhole(tests, attempt.baseTree)],
    ['health', isWanted(healthCheck), 'ENV_SETUP', on.bringUp.healthCheck],
    ['validation', validation !== null, 'ENV_SETUP', () => checkProgram(ctx.ports, on), { unprovable: true }],
    ['lint', wanted.lint !== 'off' && lintCommand !== null, 'ENV_SETUP', () => checkLint(ctx.policy, on)],
    ['baseline_tests', wanted.baselineTests, 'ENV_SETUP', () => checkBaseline(ctx, on)],
    ['budget', wanted.budget, 'CONFIG', async () => checkBudget(ctx)],
  ];
}

/** Whether others have measured a newer base since this attempt took its own: it says nothing of what turned red. */
function isOlder({ suite: { baseline } }: StepContext['state'], { baseTree, startedAtMs }: Attempt): boolean {
  return baseline !== null && baseline.tree !== baseTree && baseline.atMs > startedAtMs;
}

/** Tests of the base that turned red and that nobody answers for; seen twice, because one red run may be bad luck. */
async function getRedBase(
  { policy, state, ports }: StepContext,
  { task, attempt, tests, facts }: PreflightContext,
): Promise<readonly string[]> {
  if (isRepair(task.def) || isOlder(state, attempt)) return [];
  const { baseline, run } = await tests.baseline(attempt.baseTree);
  const newlyRed = getNewlyRed(state.suite, baseline.failing);
  const red = getUnanswered(state, newlyRed, policy.testing.full);
  const seen = await seeRedAgain({ ports, policy, tests }, { tree: attempt.baseTree, run }, red);
  facts.push(...seen.flaky);
  return seen.red;
}

/** A proof that is green before any work proves none: nobody is paid for it until a person has said what for. */
async function getSatisfied(ctx: StepContext, on: PreflightContext): Promise<string | null> {
  const { task, attempt } = on;
  const { def, people, reopened } = task;
  const isAsked = !people.waived.has('satisfied') && !attempt.isAuthor && task.authored === null;
  const seen = {
    red: ctx.state.suite.baseline?.failing.some(id => getTestFile(id) === def.testFile) === true,
    idle: task.history.some(changedNothing),
  };
  if (!isAsked || !canBeSatisfied(def, seen) || (reopened?.tests.length ?? 0) > 0) return null;
  if (def.testFile !== null && (await isRedOrMissing(ctx, on, def.testFile))) return null;
  const commands = await getGreenProofs({ ...ctx, tests: on.tests }, def, attempt.baseTree);
  if (commands === null) return null;
  return `\`${commands.join('` and `')}\` passes at ${attempt.base.slice(0, 10)} without any work`;
}

/** Whether nothing has to be run to know that a test file does not pass here. */
async function isRedOrMissing(ctx: StepContext, { attempt, tests }: PreflightContext, testFile: string) {
  if (!ctx.policy.preflight.baselineTests) return true;
  const { baseline } = await tests.baseline(attempt.baseTree);
  if (baseline.failing.some(id => getTestFile(id) === testFile)) return true;
  return (await ctx.ports.workspace.blobId(attempt.base, testFile)) === null;
}

/** What keeps this attempt from beginning although the checks passed: others' work is broken, or its own is fixed. */
async function getUndone(
  { ports, policy, state }: StepContext,
  { task, attempt, tests, facts }: PreflightContext,
): Promise<{ readonly detail: string; readonly mended?: true } | null> {
  const { base: commit, baseTree: tree } = attempt;
  const look = { ports, policy, state, tests };
  const where = { commit, tree };
  if (await isFixed(look, task, where))
    return { detail: `${task.reopened?.tests[0]} passes again: nothing is left to do`, mended: true };
  const baseline = facts.find(fact => fact.type === 'baseline.measured') ?? state.suite.baseline;
  const known = baseline ?? { tree, passing: [], failing: [] };
  const { found } = await findRegressions(look, where, known, policy.regression.budgetMs);
  facts.push(...found.map(regression => ({ type: 'task.reopened', ...regression }) as const));
  return found.length === 0 ? null : { detail: found.map(({ reason }) => reason).join('; ') };
}

/** A cache that was cleared since the worktree was laid out took it along: it is laid out once more. */
async function ensureDirectory(ctx: StepContext, attempt: Attempt): Promise<string> {
  try {
    return await checkDirectory(ctx, attempt);
  } catch (error) {
    if (!attempt.checkpoint) throw error;
    await noteCreation(ctx, await ctx.ports.workspace.prepare(attempt.slot, attempt.checkpoint.commit));
    return checkDirectory(ctx, attempt);
  }
}

/** A HarnessError is a finding; anything else is a bug and goes up. */
async function attemptCheck(
  check: () => Promise<Answer>,
  signal: AbortSignal,
): Promise<Pick<PreflightCheck, 'passed' | 'detail' | 'warning'>> {
  try {
    const answer = await check();
    return { passed: true, ...(typeof answer === 'string' ? { detail: answer } : answer) };
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
function checkProvable(ctx: StepContext, { task: { def } }: PreflightContext): string {
  const basis = getBasis(def);
  if (basis === 'person') return 'by a person';
  if (basis === 'review') return 'by its outputs and a review';
  if (def.kind === 'cleanup') return 'by the suite';
  if (def.validation) return 'by its validation command';
  if (def.testFile && getFeatureCommand(ctx.policy.testing, def.testFile) !== null)
    return `by ${def.testFile}`;
  throw new HarnessError(
    'config',
    `no command is configured that could prove task ${def.id}: set testing.full or testing.feature`,
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

async function installInWorktree(ctx: StepContext, attempt: Attempt): Promise<string> {
  await install(ctx, attempt.dir ?? '', attempt.baseTree, ctx.signal);
  return ctx.policy.environment.install === null ? 'nothing to install' : 'installed';
}

/** What tests cannot see where work is judged they do not guard: nobody is paid before a person knows. */
async function checkWhole(tests: TestRuns, tree: string): Promise<string> {
  await tests.checkOut({ side: 'base', tree });
  return 'nothing is missing that nobody has accepted';
}

/** Remembers what passes before the session; a suite that cannot even start is a broken environment. */
async function checkBaseline(ctx: StepContext, on: PreflightContext): Promise<string> {
  const { ports, policy, state } = ctx;
  const { task, attempt, tests, facts } = on;
  const tree = attempt.baseTree;
  const { baseline, run } = await tests.baseline(tree);
  if (!run) return 'no test suite is configured';
  checkStarted(ctx, run);
  const base = { ports, policy, tests, tree, baseline };
  await checkAlone(base, task.def.testFile);
  if (await checkLocalFiles(base, attempt.slot, new Set(getAwaited(ctx)))) return checkBaseline(ctx, on);
  const { passing, failing } = baseline;
  if (state.suite.baseline?.tree !== tree && !isOlder(state, attempt))
    facts.push({ type: 'baseline.measured', tree, command: run.command, passing, failing });
  return run.reportProblem ?? `${passing.length} pass, ${failing.length} fail`;
}

function checkStarted({ policy }: StepContext, run: TestRun): void {
  const { testing, environment, configPath } = policy;
  const { command, timedOut, exitCode, outputTail } = run;
  if (timedOut) {
    const text = `${command} ran out of time on the base: a test that never ends there has to be fixed first`;
    throw new HarnessError('environment', text, { field: 'testing.full' });
  }
  if (exitCode === 126 || exitCode === 127 || exitCode === null) {
    const text = `${command} could not be started: ${outputTail.trim().slice(-500)}`;
    const fix = `set testing.full in ${configPath} to what runs the tests`;
    throw new HarnessError('environment', text, { field: 'testing.full', fix });
  }
  const problem = getStartProblem(run, testing.runner, environment.install);
  if (problem) throw new HarnessError('environment', problem, { field: 'environment.install' });
}
