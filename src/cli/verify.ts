import type { GitWorkspace } from '../adapters/git/workspace.ts';
import { measureBaseline } from '../checks/baseline.ts';
import { runChecks } from '../checks/run-checks.ts';
import { runOnTree } from '../checks/test-runs.ts';
import { EXIT_CODES, HarnessError } from '../core/failure.ts';
import { getFeatureCommand } from '../core/test-command.ts';
import type { TestRun } from '../core/testing.ts';
import { getVerdict } from '../core/verdict.ts';
import type { Ports } from '../ports.ts';
import type { Io } from './io.ts';
import { getWhere } from './open-checkout.ts';
import { openProofPorts } from './open-ports.ts';
import { openProject, type Project } from './open-project.ts';
import type { CommonOptions } from './program.ts';
import { createReporter } from './reporter.ts';
import { listenForSignals } from './signals.ts';
import { createStyle } from './style.ts';
import { takeVerifySlot } from './verify-slot.ts';
import { type ChangeTarget, findTarget, type Target } from './verify-target.ts';

export interface VerifyOptions extends CommonOptions {
  readonly feature?: string;
}

/** One line of the result, whatever it was that ran. */
interface Line {
  readonly check: string;
  readonly status: string;
  readonly summary: string;
  readonly findings: readonly string[];
  readonly commands: readonly string[];
  readonly durationMs: number;
}

interface Outcome {
  readonly lines: readonly Line[];
  readonly passed: boolean;
  readonly verdict: string;
}

/** `harness verify`: the same checks again, in a pristine tree, with nothing remembered and nothing recorded. */
export async function verify(io: Io, task: string | undefined, options: VerifyOptions): Promise<void> {
  const id = task ?? options.feature;
  if (id === undefined || (task !== undefined && options.feature !== undefined && task !== options.feature)) {
    const message = id === undefined ? 'which task?' : 'the argument and --feature name different tasks';
    throw new HarnessError('usage', message, { field: '<task>', fix: 'harness verify 12' });
  }
  const project = await openProject(getWhere(io, options.repo));
  const target = await findTarget(project, id);
  const reporter = createReporter(io, options.json ?? false);
  const ports = await openProofPorts(project, { reporter });
  const place = takeVerifySlot((ports.workspace as GitWorkspace).home);
  const stop = listenForSignals();
  try {
    if (!options.json) io.out(getHeadline(target));
    const ctx = { ports, policy: project.policy, slot: place.slot, signal: stop.signal };
    const outcome =
      target.kind === 'tip' ? await runAtTip(ctx, target) : await runChange(ctx, project, target);
    reporter.close();
    tell(io, target, outcome, options.json ?? false);
  } finally {
    reporter.close();
    stop.dispose();
    place.release();
  }
}

interface Context {
  readonly ports: Ports;
  readonly policy: Project['policy'];
  readonly slot: number;
  readonly signal: AbortSignal;
}

/** The change against its base: everything a verdict needs. */
async function runChange(ctx: Context, project: Project, target: ChangeTarget): Promise<Outcome> {
  const { ports, policy, slot, signal } = ctx;
  const { base, baseTree, commit, tree, task } = target;
  const [before, after] = await Promise.all(
    [base, commit].map(id => ports.workspace.readFile(id, policy.backlogPath)),
  );
  const compared = before && after ? project.backlog.compare(before, after) : { claims: [], problems: [] };
  const { baseline } = await measureBaseline(ctx, { slot, tree: baseTree, signal });
  const checks = await runChecks({
    ports,
    policy,
    task,
    attempt: { slot },
    candidate: { commit, tree, backlogProblems: compared.problems, claims: compared.claims },
    changes: await ports.workspace.changes(base, commit),
    baseline,
    baseTree,
    signal,
    ahead: new Map(),
  });
  const verdict = getVerdict(checks);
  return { lines: checks, passed: verdict.word === 'proven', verdict: verdict.word };
}

/** No change to compare: what the task's own tests say where the next task would start. */
async function runAtTip(ctx: Context, { task, tree }: Extract<Target, { kind: 'tip' }>): Promise<Outcome> {
  const { policy, slot, signal } = ctx;
  const place = { purpose: 'own tests, tip', slot, side: 'candidate', tree, signal } as const;
  const command = task.testFile === null ? null : getFeatureCommand(policy.testing, task.testFile);
  const runs: TestRun[] = [];
  if (task.testFile !== null && command !== null) {
    const { runner, reportPath } = policy.testing;
    const how = {
      command,
      runner,
      reportPath,
      idWithoutReport: task.testFile,
      timeoutMs: policy.testTimeoutMs,
    };
    runs.push(await runOnTree(ctx, { ...place, ...how }));
  }
  if (task.validation !== null) {
    const { command: line, timeoutSeconds } = task.validation;
    const how = { command: line, runner: 'command', reportPath: null, idWithoutReport: line } as const;
    runs.push(await runOnTree(ctx, { ...place, ...how, timeoutMs: timeoutSeconds * 1_000 }));
  }
  const lines = runs.map(getRunLine);
  const passed = lines.length > 0 && lines.every(line => line.status === 'passed');
  return {
    lines,
    passed,
    verdict: passed ? 'passes' : lines.length === 0 ? 'has nothing to run' : 'does not pass',
  };
}

function getRunLine(run: TestRun): Line {
  const red = run.results.filter(result => result.outcome !== 'passed');
  const problem = run.timedOut ? 'ran out of time' : run.reportProblem;
  const isGreen = problem === undefined && red.length === 0 && run.results.length > 0;
  const counts = `${run.results.length - red.length} of ${run.results.length} pass`;
  return {
    check: 'tests',
    status: isGreen ? 'passed' : 'failed',
    summary: problem ?? counts,
    findings: red.map(result => `${result.id}: ${result.outcome}`),
    commands: [run.command],
    durationMs: Math.round(run.durationMs),
  };
}

function getHeadline(target: Target): string {
  const { task, commit } = target;
  const what = {
    landed: `landed as ${commit.slice(0, 10)}; checking it against its parent`,
    attempt: `has not landed; checking the work of its last attempt, ${commit.slice(0, 10)}`,
    tip: `has not been worked on; running its tests on ${commit.slice(0, 10)}`,
  }[target.kind];
  return `Task ${task.id}: ${task.title}\nIt ${what}.${task.testFile ? `\nTest file: ${task.testFile}` : ''}\n`;
}

function tell(io: Io, target: Target, { lines, passed, verdict }: Outcome, json: boolean): void {
  io.exit(passed ? 0 : EXIT_CODES.unproven);
  const { task, kind, commit } = target;
  if (json) {
    io.out(JSON.stringify({ task: task.id, kind, commit, passed, verdict, checks: lines }));
    return;
  }
  const style = createStyle(io.colourOut);
  for (const line of lines) {
    for (const command of line.commands) io.out(style.dim(`$ ${command}`));
    const paint = line.status === 'passed' ? style.good : line.status === 'failed' ? style.bad : style.warn;
    io.out(
      `${paint(line.status.padEnd(12))} ${line.check}: ${line.summary} ${style.dim(`(${line.durationMs} ms)`)}`,
    );
    for (const finding of line.findings.slice(0, 10))
      io.out(`             ${finding.replaceAll('\n', '\n             ')}`);
  }
  io.out(`\nTask ${task.id}: ${(passed ? style.good : style.bad)(verdict)}`);
  io.out(style.dim(`next: ${passed ? 'harness status' : `harness log --task ${task.id}`}`));
}
