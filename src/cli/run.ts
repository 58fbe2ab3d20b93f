import type { StopReason } from '../core/action.ts';
import { EXIT_CODES } from '../core/failure.ts';
import { type EndedAttempt, type RunReport, runLoop } from '../loop.ts';
import type { Ports } from '../ports.ts';
import { HARNESS_VERSION } from '../version.ts';
import type { Io } from './io.ts';
import { openPorts } from './open-ports.ts';
import { openProject, type Project, type Where } from './open-project.ts';
import type { CommonOptions } from './program.ts';
import { createReporter } from './reporter.ts';

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
  const project = await openProject({ cwd: options.repo ?? io.cwd, env: io.env, ...git });
  if (options.dryRun) {
    const { dryRun } = await import('./dry-run.ts');
    return dryRun(io, project, options);
  }
  const reporter = createReporter(io, options.json ?? false);
  const opened = await openPorts(project, { reporter, quickCheck: true, ...git });
  const ports = seams.wrapPorts ? seams.wrapPorts(opened) : opened;
  const stop = listenForSignals();
  try {
    const maxSessions = options.maxSessions ?? (options.all ? null : 1);
    const report = await runLoop(ports, project.policy, {
      maxSessions,
      onlyTask: options.task ?? null,
      signal: stop.signal,
      version: HARNESS_VERSION,
    });
    reporter.close();
    tell(io, project, report, options.json ?? false);
  } finally {
    reporter.close();
    stop.dispose();
    await opened.store.close();
  }
}

function tell(io: Io, project: Project, report: RunReport, json: boolean): void {
  const { why, ended } = report;
  io.exit(getExitCode(why, ended));
  if (json) {
    io.out(JSON.stringify({ stopped: why, attempts: ended }));
    return;
  }
  const landed = ended.filter(end => end.outcome === 'landed').length;
  io.out(`${landed} landed, ${ended.length - landed} not, stopped: ${why}`);
  for (const note of project.repo.notes) io.err(`note: ${note}`);
  io.out(`next: ${NEXT_STEP[why]}`);
}

const NEXT_STEP: Readonly<Record<StopReason, string>> = {
  'all-done': 'harness status   (everything is landed)',
  'nothing-ready': 'harness status   (shows what waits and for what)',
  'empty-backlog': 'harness add "what should be built" --test-file <path>',
  'session-limit': 'harness run --all',
  budget: 'raise costs.total_project_usd in the config, then harness run --all',
  environment: 'harness doctor   (the environment is broken; nothing was launched)',
  asked: 'harness run --all',
};

/** Zero only when what was asked for happened. */
function getExitCode(why: StopReason, ended: readonly EndedAttempt[]): number {
  if (why === 'budget') return EXIT_CODES.budget;
  if (why === 'environment') return EXIT_CODES.environment;
  if (why === 'all-done' || why === 'empty-backlog') return 0;
  if (ended.some(end => end.outcome === 'needs-human')) return EXIT_CODES.human;
  if (why === 'nothing-ready') return EXIT_CODES.unproven;
  return ended.every(end => end.outcome === 'landed') ? 0 : EXIT_CODES.unproven;
}

/** The first Ctrl-C stops cleanly; the second is the system's own. */
function listenForSignals(): { signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  const onSignal = () => controller.abort(Object.assign(new Error('interrupted'), { name: 'AbortError' }));
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    dispose: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
