import { getWhere } from '../../../app/project/open-checkout.ts';
import { openPorts } from '../../../app/project/open-ports.ts';
import { openProject, type Project } from '../../../app/project/open-project.ts';
import { rememberHot } from '../../../app/project/remember-hot.ts';
import { findLastGood } from '../../../app/run/find-last-good.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import { HARNESS_VERSION } from '../../../core/base/version.ts';
import { getRecoveryPlan, type RecoveryStep } from '../../../core/decide/recovery-plan.ts';
import { SlotLost } from '../../../core/decide/slot.ts';
import type { Leftover } from '../../../core/model/facts.ts';
import type { Attempt } from '../../../core/state/attempt.ts';
import type { State } from '../../../core/state/state.ts';
import { Journal } from '../../../loop/journal.ts';
import { type RunReport, runLoop } from '../../../loop/loop.ts';
import { readWorkers } from '../../../loop/observe.ts';
import type { Ports } from '../../../ports/index.ts';
import { readLeftover } from '../../../session/read-leftover.ts';
import { createReporter } from '../../render/reporter.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { listenForSignals } from '../../terminal/signals.ts';

/** `harness recover`: puts right what a killed run left, and starts nothing; or only says what it would do. */
export async function recover(io: Io, options: CommonOptions & { readonly dryRun?: boolean }): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  await checkBacklog(project);
  const reporter = createReporter(io, options.json ?? false);
  const ports = await openPorts(project, { reporter, quickCheck: true });
  const stop = listenForSignals();
  try {
    const plan = await readPlan(ports, project);
    if (!options.json) io.out(render(plan));
    const report = options.dryRun ? null : await bringToRest(ports, project, stop.signal);
    reporter.close();
    if (report) await rememberHot(project, ports);
    if (options.json) io.out(JSON.stringify({ dryRun: report === null, plan, ended: report?.ended ?? [] }));
    else io.out(getLastWords(plan, report));
  } finally {
    reporter.close();
    stop.dispose();
    await ports.store.close();
  }
}

/** A backlog that cannot be read is never repaired by guessing: the last good version is named. */
async function checkBacklog(project: Project): Promise<void> {
  const found = await findLastGood(project);
  if (found.problem === null) return;
  const { code, message, details } = found.problem;
  const { backlogPath } = project.policy;
  const fix =
    found.commit === null
      ? (details.fix ?? `mend ${backlogPath} and commit it`)
      : `the last version that can be read is in commit ${found.commit.slice(0, 10)}: git show ${found.commit.slice(0, 10)}:${backlogPath}`;
  throw new HarnessError(code, message, { ...details, fix });
}

async function readPlan(ports: Ports, project: Project): Promise<RecoveryStep[]> {
  const journal = new Journal(ports.store, async () => undefined);
  await journal.refresh();
  const { state } = journal;
  const seen = await readWorkers(ports, state);
  const lost = getRecoveryPlan(state, seen, new Map());
  return getRecoveryPlan(state, seen, await readLeftovers(ports, project, state, lost));
}

async function readLeftovers(
  ports: Ports,
  { policy }: Project,
  state: State,
  lost: readonly RecoveryStep[],
): Promise<Map<string, Leftover>> {
  const found = new Map<string, Leftover>();
  for (const { task, action } of lost) {
    const attempt = state.active.get(task);
    if (!attempt || action !== 'look') continue;
    const tree = attempt.candidate?.tree ?? (await readTree(ports, attempt));
    found.set(task, await readLeftover(ports, policy, attempt, tree));
  }
  return found;
}

/** What lies in the slot; the base's files where the slot is gone. */
async function readTree({ workspace }: Ports, { slot, baseTree }: Attempt): Promise<string> {
  try {
    return (await workspace.snapshot(slot)).tree;
  } catch (error) {
    if (error instanceof SlotLost) return baseTree;
    throw error;
  }
}

/** The run's own way of recovering, told to start no session. */
function bringToRest(ports: Ports, { policy }: Project, signal: AbortSignal): Promise<RunReport> {
  return runLoop(ports, policy, { maxSessions: 0, onlyTask: null, signal, version: HARNESS_VERSION });
}

function render(plan: readonly RecoveryStep[]): string {
  if (plan.length === 0) return 'nothing was left half done';
  return plan
    .map(step =>
      [
        `task ${step.task}, attempt ${step.attempt}, left at ${step.stage}: ${step.lost}`,
        `  → ${step.action}: ${step.reason}`,
      ].join('\n'),
    )
    .join('\n');
}

function getLastWords(plan: readonly RecoveryStep[], report: RunReport | null): string {
  if (report === null)
    return `No changes made.\nnext: ${plan.length > 0 ? 'harness recover, or harness run --all which begins with it' : 'harness run --all'}`;
  const ended = report.ended.map(({ task, outcome, reason }) => `task ${task}: ${outcome} (${reason})`);
  return [...ended, 'next: harness run --all'].join('\n');
}
