import type { StepContext, StepResult, UnderWay } from './step.ts';

/** Gives rejected work back to the agent: the next thing in this attempt is a session again. */
export function sendBack(_: StepContext, { attempt }: UnderWay): StepResult {
  const verdict = attempt.judged?.verdict;
  if (verdict?.word !== 'rejected') throw new Error(`task ${attempt.task} was not rejected`);
  const reason = verdict.decidedBy ? `${verdict.decidedBy}: ${verdict.reason}` : verdict.reason;
  const ref = { task: attempt.task, attempt: attempt.number, round: attempt.round + 1 };
  return { events: [{ type: 'attempt.sent-back', ...ref, reason, findings: verdict.findings }] };
}
