import { HarnessError } from '../core/base/failure.ts';
import { type Ending, getCutOff, getEndingOfTask } from '../core/decide/retry.ts';
import { getAttemptRef, getCommitMessage } from '../core/proof/commit-message.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { isRecovered } from '../core/state/leftover.ts';
import type { TaskState } from '../core/state/task-state.ts';
import { openBase } from '../testruns/preflight-checks.ts';
import { endAttempt, getRef, openTests, type StepContext, type StepResult, type UnderWay } from './step.ts';

/** Ends an attempt that will not land. Its work is kept under a ref; the worktree is the next one's to reset. */
export async function close(ctx: StepContext, { task, attempt }: UnderWay): Promise<StepResult> {
  const ending = getEndingOfTask(task, attempt);
  const isRestored = attempt.preflightFailure?.fixed === true && task.reopened !== null;
  const { outcome, reason, category } = ending;
  const findings = [...ending.findings, ...(await cleanUp(ctx, task, attempt, ending))];
  const unavailable = attempt.agent.outcome === 'unavailable';
  const wip = await getWip(ctx, task, attempt, ending.keepWork);
  return endAttempt(attempt, {
    ...{ outcome, reason, category, wip, findings },
    ...(unavailable ? { unavailable } : {}),
    ...(isRestored ? { restored: true as const } : {}),
  });
}

/** What the next attempt may go on with. Work that was judged unasked was marked as done for that: it is not. */
async function getWip(
  { ports, policy }: StepContext,
  { def }: TaskState,
  attempt: Attempt,
  keepWork: boolean,
): Promise<string | null> {
  const { candidate, base } = attempt;
  if (getCutOff(policy, attempt.agent)?.keeps === false) return null;
  if (!candidate) return keepWork ? attempt.startWip : null;
  if (!isRecovered(attempt)) return candidate.commit;
  const { workspace, store } = ports;
  const { backlogPath: path } = policy;
  const put = [{ path, text: (await workspace.readFile(base, path)) ?? '' }];
  const tree = await workspace.compose({ tree: candidate.work ?? candidate.tree, put });
  const message = getCommitMessage(def, attempt.number);
  const commit = await workspace.commit({ tree, parent: base, message, atMs: await store.nowMs() });
  await workspace.keep(getAttemptRef(def.id, attempt.number), commit);
  return commit;
}

/** The task's own clean-up, after work that is not gone on with; that it fails is noted and stops nothing. */
async function cleanUp(
  ctx: StepContext,
  { def }: TaskState,
  attempt: Attempt,
  { keepWork, outcome }: Ending,
): Promise<readonly string[]> {
  if (def.cleanup === undefined || keepWork || outcome === 'needs-human' || attempt.dir === null) return [];
  const run = await openBase(
    { ...ctx, tests: openTests(ctx, attempt.slot) },
    attempt,
  )(def.cleanup).catch(getProblem);
  if (typeof run === 'string') return [`on_failure.cleanup (${def.cleanup}) was not run: ${run}`];
  if (run.exitCode === 0) return [];
  const how = run.timedOut ? 'ran out of time' : `exited with ${run.exitCode}`;
  return [`on_failure.cleanup (${def.cleanup}) ${how}: ${run.output.slice(-500)}`];
}

function getProblem(error: unknown): string {
  if (error instanceof HarnessError) return error.message;
  throw error;
}

/** Gives rejected work back to the agent: the next thing in this attempt is a session again. */
export function sendBack(_: StepContext, { attempt }: UnderWay): StepResult {
  const verdict = attempt.judged?.verdict;
  if (verdict?.word !== 'rejected') throw new Error(`task ${attempt.task} was not rejected`);
  const reason = verdict.decidedBy ? `${verdict.decidedBy}: ${verdict.reason}` : verdict.reason;
  const ref = { ...getRef(attempt), round: attempt.round + 1 };
  return { events: [{ type: 'attempt.sent-back', ...ref, reason, findings: verdict.findings }] };
}
