import { readBacklogAtTip } from '../../../app/project/backlog-at-tip.ts';
import { getKnownTask, getNotReadyError } from '../../../app/project/check-task.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openPorts } from '../../../app/project/open-ports.ts';
import { openProject, type Project, type Where } from '../../../app/project/open-project.ts';
import { readPlannedStateOf } from '../../../app/project/planned-state.ts';
import { rememberHot } from '../../../app/project/remember-hot.ts';
import { createGate, refuseTestFiles } from '../../../app/run/refuse-unready.ts';
import { readSignals, settleStopFile } from '../../../app/run/signal-files.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import { HARNESS_VERSION } from '../../../core/base/version.ts';
import { runLoop } from '../../../loop/loop.ts';
import type { Ports } from '../../../ports/index.ts';
import { createReporter } from '../../render/reporter.ts';
import { type AuditedAll, tellRunEnd } from '../../render/run-end.ts';
import type { Io } from '../../terminal/io.ts';
import { getDurationMs, getMomentMs } from '../../terminal/parse-time.ts';
import { listenForSignals } from '../../terminal/signals.ts';
import { canAsk } from '../people/ask.ts';
import { attend } from '../people/attend.ts';
import type { RunCommandOptions } from './dry-run.ts';

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
  const stop = listenForSignals(() => reporter.running());
  try {
    if (options.task !== undefined && (await hasLanded(io, project, opened, options))) return;
    const limits = getLimits(options, await opened.store.nowMs());
    const refuse = createGate(project, opened.workspace);
    if (limits.maxSessions !== 1 && options.task === undefined)
      await refuseTestFiles(project, opened.workspace);
    const isThere = !options.json && canAsk(io);
    const report = await attend(io, isThere ? { project, store: opened.store } : null, () =>
      runLoop(ports, project.policy, {
        ...limits,
        onlyTask: options.task ?? null,
        maintains: options.maintain,
        signal: stop.signal,
        version: HARNESS_VERSION,
        readTold: () => readSignals(project.stateDir),
        refuse,
      }),
    );
    if (report.why === 'asked') await settleStopFile(project.stateDir, opened.store);
    reporter.close();
    await rememberHot(project, opened);
    const audited = report.why === 'all-done' ? await checkProofs(project) : null;
    tellRunEnd(io, project, report, audited, options.json ?? false);
  } finally {
    reporter.close();
    stop.dispose();
    await opened.store.close();
  }
}

/** The quick look at every landing that goes with saying that everything is done. */
async function checkProofs(project: Project): Promise<AuditedAll> {
  const { readAudit } = await import('../look/audit.ts');
  const { ok, sound, landings } = await readAudit(project);
  return { ok: sound, changed: sound && !ok, landings: landings.length };
}

/** How far a run goes: one attempt, unless something says how far else. */
function getLimits(
  options: RunCommandOptions,
  nowMs: number,
): { maxSessions: number | null; maxTasks: number | undefined; untilMs: number | undefined } {
  const { all, maxSessions, maxTasks } = options;
  if (options.for !== undefined && options.until !== undefined)
    throw new HarnessError('usage', '--for and --until say the same in two ways', {
      fix: 'give one of them',
    });
  const untilMs =
    options.for !== undefined
      ? nowMs + getDurationMs(options.for, '--for')
      : options.until !== undefined
        ? getMomentMs(options.until, nowMs, '--until')
        : undefined;
  const isOpenEnded = all || options.maintain || maxTasks !== undefined || untilMs !== undefined;
  return { maxSessions: maxSessions ?? (isOpenEnded ? null : 1), maxTasks, untilMs };
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
