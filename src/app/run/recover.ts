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
import { createGates } from '../gates/create-gates.ts';
import { readBacklogAtTip, readCheckoutDamage } from '../project/backlog-at-tip.ts';
import { findLastGood, getDamage } from '../project/last-good.ts';
import { openPorts } from '../project/open-ports.ts';
import type { Project } from '../project/open-project.ts';
import { openJournal } from '../project/open-record.ts';
import { saveFingerprint } from '../project/save-fingerprint.ts';
import { getWatch, type Watch } from '../project/watch.ts';

export interface RecoverInput extends Watch {
  /** Says what would be done, and does nothing of it. */
  readonly dryRun?: boolean;
  /** Told what is going to be done, before it is. */
  readonly onPlan?: (plan: readonly RecoveryStep[], damage: string | null) => void;
}

export interface RecoverResult {
  readonly dryRun: boolean;
  readonly plan: readonly RecoveryStep[];
  readonly ended: readonly EndedAttempt[];
  /** What keeps the backlog of this checkout from being read; it is put back on request alone. */
  readonly damage: string | null;
}

/** Puts right what a killed run left, and starts nothing new. */
export async function recover(project: Project, input: RecoverInput = {}): Promise<RecoverResult> {
  const { dryRun = false, onPlan } = input;
  const { reporter, signal } = getWatch(input);
  await checkBacklog(project);
  const ports = await openPorts(project, { reporter });
  const plan = await readPlan(ports, project);
  const damage = readCheckoutDamage(project);
  onPlan?.(plan, damage);
  if (dryRun) return { dryRun, plan, ended: [], damage };
  const { ended } = await bringToRest(ports, project, signal);
  await saveFingerprint(project, ports);
  return { dryRun, plan, ended, damage };
}

/** A backlog that cannot be read is never repaired by guessing: the last good version is named. */
export async function checkBacklog(project: Project): Promise<void> {
  const { backlogPath } = project.policy;
  const { tip, heads, text, baseText } = await readBacklogAtTip(project);
  // Branches that have parted are for a run to join, which has to read the backlog first.
  const listed = tip === null ? baseText : text;
  const read = (version: string) => project.backlog.parse(version);
  const problem = listed === null ? null : getDamage(listed, read);
  if (problem === null) return;
  const commit = tip?.commit ?? heads.base;
  const good = isPlanFolder(backlogPath)
    ? null
    : await findLastGood(project.repo, { commit, path: backlogPath }, read);
  const short = good?.commit.slice(0, 10);
  const remedy = problem.details.fix ?? `fix ${backlogPath} and commit it`;
  const restore = `or go back to commit ${short}, the last that can be read, with \`harness recover --restore\` (git show ${short}:${backlogPath})`;
  const plans = `${remedy}; or see what \`harness recover --restore --dry-run\` would put back`;
  const named = good === null ? remedy : `${remedy}; ${restore}`;
  const fix = isPlanFolder(backlogPath) ? plans : named;
  throw new HarnessError(problem.code, problem.message, { ...problem.details, fix });
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
function bringToRest(ports: Ports, project: Project, signal: AbortSignal): Promise<RunReport> {
  const all = { ...ports, gates: createGates(project, ports.reporter) };
  return runLoop(all, project.policy, { maxSessions: 0, onlyTask: null, signal, version: HARNESS_VERSION });
}
