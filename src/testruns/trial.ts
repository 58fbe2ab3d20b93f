import { HarnessError } from '../core/base/failure.ts';
import { getSeconds, getUsefulLine } from '../core/base/text.ts';
import type { Policy } from '../core/model/policy.ts';
import type { TestRun } from '../core/model/testing.ts';
import { findNoTests } from '../core/testing/no-tests.ts';
import { RUNNERS } from '../core/testing/runners.ts';
import { getFeatureCommand } from '../core/testing/test-command.ts';
import { getStartProblem } from '../core/testing/unstarted.ts';
import type { Ports } from '../ports/index.ts';
import { checkAlone } from './preflight-checks.ts';
import { TestRuns } from './test-runs.ts';

/** Where commands are tried: a pristine tree, as verdicts are given in. */
export interface TrialContext {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly slot: number;
  readonly tree: string;
  readonly signal: AbortSignal;
}

/** What came of trying one command. */
export interface Trial {
  /**
   * `works`: it gave the results it is there for; `red`: it ran, and nothing was green; `empty`: it ran, and there are
   * no tests yet; `none`: no result at all.
   */
  readonly outcome: 'works' | 'red' | 'empty' | 'none';
  /** What was seen, in a few words. */
  readonly seen: string;
}

export interface SuiteTrial extends Trial {
  /** Why one test file by itself gives no result; null where it does, or where only the suite can be run. */
  readonly alone: string | null;
  readonly passing: readonly string[];
  readonly seconds: number;
  /** The end of what it said, without the times it took: where nothing else is known, the same words mean the same tests. */
  readonly output: string;
  /** Whether a sandbox was around it. */
  readonly isContained: boolean;
}

/** Installs into a tree that has nothing yet. */
export async function tryInstall(ctx: TrialContext): Promise<Trial> {
  const { clock } = ctx.ports;
  const startedMs = clock.monotonicMs();
  try {
    await new TestRuns(ctx).checkOut({ side: 'base', tree: ctx.tree });
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (!(error instanceof HarnessError)) throw error;
    return {
      outcome: 'none',
      seen: getUsefulLine(error.message.replace(/^environment\.install failed \([^)]*\): /, '')),
    };
  }
  return { outcome: 'works', seen: getSeconds(clock.monotonicMs() - startedMs) };
}

/** The whole suite, and one of its files by itself. */
export async function trySuite(ctx: TrialContext): Promise<SuiteTrial> {
  const tests = new TestRuns(ctx);
  const { baseline, run } = await tests.baseline(ctx.tree);
  if (run === null)
    return {
      ...{ outcome: 'none', seen: 'there is no command', alone: null },
      ...{ passing: [], seconds: 0, output: '', isContained: false },
    };
  const isContained = ctx.ports.containment?.level === 'bubblewrap';
  const output = run.outputTail.replace(TIME, '');
  const measured = { passing: baseline.passing, seconds: run.durationMs / 1_000, output, isContained };
  const trial = { ...getSuiteTrial(ctx.policy, run), ...measured };
  if (trial.outcome === 'none' || trial.outcome === 'empty') return { ...trial, alone: null };
  try {
    await checkAlone({ ...ctx, tests, baseline });
    return { ...trial, alone: await findAloneByCode(ctx, tests) };
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (!(error instanceof HarnessError)) throw error;
    return { ...trial, alone: error.message.split('\n', 1)[0] ?? '' };
  }
}

const TIME = /\d+(?:\.\d+)?\s?(?:ms|µs|s|secs?|seconds?)\b|(?<=duration_ms )[\d.]+/g;

/** A linter, a type check or a build: content with the tree as it is, or of no use. */
export async function tryTool(ctx: TrialContext, command: string): Promise<Trial> {
  const asked = { purpose: 'trial', side: 'base', tree: ctx.tree, command, runner: 'command' } as const;
  const run = await new TestRuns(ctx).run({ ...asked, isWatched: true });
  if (run.exitCode === 0) return { outcome: 'works', seen: getSeconds(run.durationMs) };
  return { outcome: isUnstarted(run) ? 'none' : 'red', seen: getFailure(run) };
}

/** Said where there is no report. */
export const CODE_ONLY = RUNNERS.command.reportName;

function getSuiteTrial({ testing, environment }: Policy, run: TestRun): Trial {
  const count = run.results.length;
  const passed = run.results.filter(({ outcome }) => outcome === 'passed').length;
  const red = run.results.filter(({ outcome }) => outcome === 'failed' || outcome === 'error').length;
  const how = `${getSeconds(run.durationMs)}, ${RUNNERS[testing.runner].reportName}`;
  if (testing.runner === 'command') {
    if (isUnstarted(run) || getStartProblem(run, 'command', environment.install) !== null)
      return { outcome: 'none', seen: getFailure(run) };
    const none = findNoTests(run.outputTail);
    if (none !== null) return { outcome: 'empty', seen: `0 tests: it says "${none}", ${how}` };
    return run.exitCode === 0
      ? { outcome: 'works', seen: `exit 0, ${how}` }
      : { outcome: 'red', seen: `${getFailure(run)}, ${how}` };
  }
  if (count > 0) {
    const seen = `${count} ${count === 1 ? 'test' : 'tests'}${red > 0 ? `, ${red} red` : ''}, ${how}`;
    return { outcome: passed > 0 ? 'works' : 'red', seen };
  }
  const problem = run.reportProblem ?? 'no tests were collected';
  const hasNone = !isUnstarted(run) && getStartProblem(run, testing.runner, environment.install) === null;
  return {
    outcome: hasNone ? 'empty' : 'none',
    seen: `0 tests: ${problem}: ${getUsefulLine(run.outputTail)}`,
  };
}

/** Where only exit codes are read, one of the files that look like tests has to pass by itself. */
async function findAloneByCode(ctx: TrialContext, tests: TestRuns): Promise<string | null> {
  const { testing, testTimeoutMs: timeoutMs } = ctx.policy;
  if (testing.runner !== 'command' || testing.feature === null) return null;
  const files = (await ctx.ports.workspace.listFiles(ctx.tree)).filter(path => LOOKS_LIKE_TEST.test(path));
  let problem = 'no file looks like a test';
  for (const file of files.slice(0, MAX_FILES)) {
    const command = getFeatureCommand(testing, file) ?? '';
    const asked = { purpose: 'trial', side: 'base', tree: ctx.tree, command, runner: 'command' } as const;
    const run = await tests.run({ ...asked, idWithoutReport: file, timeoutMs });
    if (run.exitCode === 0) return null;
    problem = `\`${command}\`: ${getFailure(run)}`;
  }
  return problem;
}

const MAX_FILES = 3;
const LOOKS_LIKE_TEST =
  /(?:^|\/)(?:tests?|specs?|__tests__)(?:\/|\.[^/]+$)|[._-](?:test|spec)\.[^/]+$|(?:^|\/)test_/;

/** The shell found nothing to start, or it never ended. */
function isUnstarted({ exitCode, timedOut }: TestRun): boolean {
  return timedOut || exitCode === 126 || exitCode === 127 || exitCode === null;
}

function getFailure({ timedOut, exitCode, outputTail, durationMs }: TestRun): string {
  if (timedOut) return `ran out of time after ${getSeconds(durationMs)}`;
  return `exit ${exitCode}: ${getUsefulLine(outputTail)}`;
}
