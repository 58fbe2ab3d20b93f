import { createReader } from '../../adapters/git/objects/objects.ts';
import { openContext, runRepo } from '../../adapters/git/repo/context.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { isPlanFolder } from '../../backlog/codec.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { HARNESS_VERSION } from '../../core/base/version.ts';
import { getRecoveryPlan, type RecoveryStep } from '../../core/decide/recovery.ts';
import { SlotLost } from '../../core/decide/slot.ts';
import type { Leftover } from '../../core/model/facts.ts';
import type { Attempt } from '../../core/state/attempt.ts';
import type { State } from '../../core/state/state.ts';
import { type EndedAttempt, type RunReport, runLoop } from '../../loop/loop.ts';
import { readWorkers } from '../../loop/observe.ts';
import type { Ports } from '../../ports/index.ts';
import { readLeftover } from '../../session/read-changes.ts';
import { readBacklogAtTip } from '../project/backlog-at-tip.ts';
import { openPorts } from '../project/open-ports.ts';
import type { Project } from '../project/open-project.ts';
import { openJournal } from '../project/open-record.ts';
import { saveFingerprint } from '../project/save-fingerprint.ts';
import { getWatch, type Watch } from '../project/watch.ts';

export interface RecoverInput extends Watch {
  /** Says what would be done, and does nothing of it. */
  readonly dryRun?: boolean;
  /** Told what is going to be done, before it is. */
  readonly onPlan?: (plan: readonly RecoveryStep[]) => void;
}

export interface RecoverResult {
  readonly dryRun: boolean;
  readonly plan: readonly RecoveryStep[];
  readonly ended: readonly EndedAttempt[];
}

/** Puts right what a killed run left, and starts nothing new. */
export async function recover(project: Project, input: RecoverInput = {}): Promise<RecoverResult> {
  const { dryRun = false, onPlan } = input;
  const { reporter, signal } = getWatch(input);
  await checkBacklog(project);
  const ports = await openPorts(project, { reporter });
  const plan = await readPlan(ports, project);
  onPlan?.(plan);
  if (dryRun) return { dryRun, plan, ended: [] };
  const { ended } = await bringToRest(ports, project, signal);
  await saveFingerprint(project, ports);
  return { dryRun, plan, ended };
}

/** A backlog that cannot be read is never repaired by guessing: the last good version is named. */
async function checkBacklog(project: Project): Promise<void> {
  const found = await findLastGood(project);
  if (found.problem === null) return;
  const { code, message, details } = found.problem;
  const { backlogPath } = project.policy;
  const fix =
    found.commit === null
      ? (details.fix ?? `fix ${backlogPath} and commit it`)
      : `the last version that can be read is in commit ${found.commit.slice(0, 10)}: git show ${found.commit.slice(0, 10)}:${backlogPath}`;
  throw new HarnessError(code, message, { ...details, fix });
}

async function readPlan(ports: Ports, project: Project): Promise<RecoveryStep[]> {
  const { state } = await openJournal(project);
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

/** How far back a good version is looked for. */
const MAX_VERSIONS = 100;

/** Whether the committed backlog can be read, and if not, the newest commit in which it could. */
async function findLastGood(
  project: Project,
): Promise<{ readonly problem: HarnessError | null; readonly commit: string | null }> {
  const { tip, text } = await readBacklogAtTip(project);
  const problem = text === null ? null : getProblem(project, text);
  if (problem === null || tip === null || isPlanFolder(project.policy.backlogPath))
    return { problem, commit: null };
  const ctx = openContext(project.repo, runGit);
  const { backlogPath } = project.policy;
  const listed = await runRepo(ctx, [
    'log',
    `-${MAX_VERSIONS}`,
    '--format=%H',
    tip.commit,
    '--',
    `:(top,literal)${backlogPath}`,
  ]);
  const reader = createReader(ctx);
  for (const commit of listed.stdout.toString('utf8').split('\n').filter(Boolean)) {
    const older = await reader.readFile(commit, backlogPath);
    if (older !== null && getProblem(project, older) === null) return { problem, commit };
  }
  return { problem, commit: null };
}

function getProblem(project: Project, text: string): HarnessError | null {
  try {
    project.backlog.parse(text);
    return null;
  } catch (error) {
    if (error instanceof HarnessError) return error;
    throw error;
  }
}
