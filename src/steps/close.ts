import { isMended } from '../core/regression.ts';
import { getEndingOfTask } from '../core/retry.ts';
import { getUnderWay, type StepContext, type StepResult } from './step.ts';

/** Ends an attempt that will not land. Its work is kept under a ref; the worktree is the next one's to reset. */
export async function close(ctx: StepContext, taskId: string): Promise<StepResult> {
  const { task, attempt } = getUnderWay(ctx, taskId);
  const ending = getEndingOfTask(task, attempt);
  const { outcome, reason, category, findings } = ending;
  const isRestored =
    attempt.preflightFailure !== null && isMended(task, ctx.state.baseline ?? { passing: [] });
  const unavailable = attempt.sessionOutcome === 'unavailable';
  const wip = attempt.candidate?.commit ?? (ending.keepWork ? attempt.startWip : null);
  return {
    events: [
      {
        type: 'attempt.ended',
        task: taskId,
        attempt: attempt.number,
        outcome,
        reason,
        category,
        wip,
        findings,
        ...(unavailable ? { unavailable } : {}),
        ...(isRestored ? { restored: true as const } : {}),
      },
    ],
    release: true,
  };
}
