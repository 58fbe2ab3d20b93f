import { getTranscriptPath } from '../session/transcript-path.ts';
import { getUnderWay, type StepContext, type StepResult } from './step.ts';

/** Records that a session died with its worker; what it left on disk is taken by the snapshot. */
export async function interrupt(ctx: StepContext, taskId: string): Promise<StepResult> {
  const { attempt } = getUnderWay(ctx, taskId);
  return {
    events: [
      {
        type: 'session.ended',
        task: taskId,
        attempt: attempt.number,
        session: attempt.session,
        outcome: 'interrupted',
        summary: 'the harness stopped while the agent was at work',
        usage: attempt.spent,
        durationMs: 0,
        transcript: await ctx.ports.artifacts.closeTranscript(getTranscriptPath(attempt)),
      },
    ],
  };
}
