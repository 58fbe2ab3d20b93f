import type { StopReason } from '../core/action.ts';
import { EXIT_CODES } from '../core/failure.ts';
import { type EndedAttempt, type RunReport, runLoop } from '../loop.ts';
import type { Ports } from '../ports.ts';
import { HARNESS_VERSION } from '../version.ts';
import { readBacklogAtTip } from './backlog-at-tip.ts';
import { getKnownTask, getNotReadyError } from './check-task.ts';
import type { Io } from './io.ts';
import { getWhere } from './open-checkout.ts';
import { openPorts } from './open-ports.ts';
import { openProject, type Project, type Where } from './open-project.ts';
import { readPlannedStateOf } from './planned-state.ts';
import type { CommonOptions } from './program.ts';
import { rememberHot } from './remember-hot.ts';
import { createReporter } from './reporter.ts';
import { readSignals, settleStopFile } from './signal-files.ts';
import { listenForSignals } from './signals.ts';

export interface RunCommandOptions extends CommonOptions {
  readonly all?: boolean;
  readonly task?: string;
  readonly maxSessions?: number;
  readonly dryRun?: boolean;
}

/** Seams for the chaos suite: the same command with every port call interceptable. */
export interface RunSeams {
  readonly runGit?: Where['runGit'];
  readonly wrapPorts?: (ports: Ports) => Ports;
}

/** `harness run`: one session, or all that can be done. */
export async function run(io: Io, options: RunCommandOptions, seams: RunSeams = {}): Promise<void> {
  const git = seams.runGit ? { runGit: seams.runGit } : {};
  const project = await openProject({ ...getWhere(io, options.repo), ...git });
  if (options.dryRun) {
    const { dryRun } = await import('./dry-run.ts');
    return dryRun(io, project, options);
  }
  const reporter = createReporter(io, options.json ?? false);
  const opened = await openPorts(project, { reporter, quickCheck: true, ...git });
  const ports = seams.wrapPorts ? seams.wrapPorts(opened) : opened;
  const stop = listenForSignals();
  try {
    if (options.task !== undefined && (await hasLanded(io, project, opened, options))) return;
    const maxSessions = options.maxSessions ?? (options.all ? null : 1);
    const report = await runLoop(ports, project.policy, {
      maxSessions,
      onlyTask: options.task ?? null,
      signal: stop.signal,
      version: HARNESS_VERSION,
      readTold: () => readSignals(project.stateDir),
    });
    if (report.why === 'asked') await settleStopFile(project.stateDir, opened.store);
    reporter.close();
    await rememberHot(project, opened);
    tell(io, project, report, options.json ?? false);
  } finally {
    reporter.close();
    stop.dispose();
    await opened.store.close();
  }
}

/** Refuses a task that cannot run, by name and reason; one that has landed already is as good as asked for. */
async function hasLanded(
  io: Io,
  project: Project,
  ports: Ports,
  options: RunCommandOptions,
): Promise<boolean> {
  const backlog = await readBacklogAtTip(project);
  if (backlog.tip === null) return false;
  const state = await readPlannedStateOf(ports.store, project, backlog);
  const task = getKnownTask(state, options.task ?? '', '--task');
  const problem = getNotReadyError(state, task);
  if (problem) throw problem;
  if (task.status !== 'landed') return false;
  if (options.json) io.out(JSON.stringify({ stopped: 'all-done', attempts: [] }));
  else io.out(`task ${task.def.id} has landed already\nnext: harness verify ${task.def.id}`);
  return true;
}

function tell(io: Io, project: Project, report: RunReport, json: boolean): void {
  const { why, ended } = report;
  io.exit(getExitCode(why, ended));
  if (json) {
    io.out(JSON.stringify({ stopped: why, attempts: ended }));
    return;
  }
  const landed = ended.filter(end => end.outcome === 'landed').length;
  io.out(`${landed} landed, ${ended.length - landed} not, ${STOPPED[why]}`);
  for (const note of project.repo.notes) io.err(`note: ${note}`);
  io.out(`next: ${NEXT_STEP[why]}`);
}

/** Why it stopped, in words; `--json` has the code. */
const STOPPED: Readonly<Record<StopReason, string>> = {
  'all-done': 'everything is landed',
  'nothing-ready': 'nothing more is ready',
  'empty-backlog': 'the backlog is empty',
  'session-limit': 'stopped as asked',
  budget: 'the budget is used up',
  environment: 'the environment is broken',
  auth: 'the agent could not log in',
  provider: 'the agent could not be had',
  paused: 'paused',
  asked: 'stopped as asked',
};

const NEXT_STEP: Readonly<Record<StopReason, string>> = {
  'all-done': 'harness status   (everything is landed)',
  'nothing-ready': 'harness status   (shows what waits and for what)',
  'empty-backlog': 'harness add "what should be built" --test-file <path>',
  'session-limit': 'harness run --all',
  budget: 'raise costs.total_project_usd in the config, then harness run --all',
  auth: 'log the agent in (harness doctor says how), then harness run --all',
  provider: 'harness run --all   (the provider could not be had; nothing is lost)',
  environment: 'harness doctor   (the environment is broken; nothing was launched)',
  paused: 'harness resume, then harness run --all',
  asked: 'harness run --all',
};

/** Zero only when what was asked for happened. */
function getExitCode(why: StopReason, ended: readonly EndedAttempt[]): number {
  if (why === 'budget') return EXIT_CODES.budget;
  if (why === 'environment' || why === 'provider') return EXIT_CODES.environment;
  if (why === 'auth') return EXIT_CODES.auth;
  if (why === 'paused') return EXIT_CODES.human;
  if (why === 'all-done' || why === 'empty-backlog') return 0;
  if (ended.some(end => end.outcome === 'needs-human')) return EXIT_CODES.human;
  if (why === 'nothing-ready') return EXIT_CODES.unproven;
  return ended.every(end => end.outcome === 'landed') ? 0 : EXIT_CODES.unproven;
}
