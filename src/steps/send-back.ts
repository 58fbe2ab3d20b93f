import { getUnderWay, type StepContext, type StepResult } from './step.ts';

/** Gives rejected work back to the agent: the next thing in this attempt is a session again. */
export function sendBack(ctx: StepContext, taskId: string): StepResult {
  const { attempt } = getUnderWay(ctx, taskId);
  const verdict = attempt.judged?.verdict;
  if (verdict?.word !== 'rejected') throw new Error(`task ${taskId} was not rejected`);
  const reason = verdict.decidedBy ? `${verdict.decidedBy}: ${verdict.reason}` : verdict.reason;
  const ref = { task: taskId, attempt: attempt.number, round: attempt.round + 1 };
  return { events: [{ type: 'attempt.sent-back', ...ref, reason, findings: verdict.findings }] };
}
