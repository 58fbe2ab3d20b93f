import { addUsage, subtractUsage } from '../core/model/usage.ts';
import { settleHandoff } from '../session/handoff.ts';
import { getTranscriptPath, readTranscriptDigest } from '../session/transcript.ts';
import type { StepContext, StepResult, UnderWay } from './step.ts';

/** Records that a session died with its worker; what it left on disk is taken by the snapshot. */
export async function interrupt(ctx: StepContext, { task, attempt }: UnderWay): Promise<StepResult> {
  const transcript = await ctx.ports.artifacts.closeTranscript(getTranscriptPath(attempt));
  const { digest, usage } = await readTranscriptDigest(ctx, transcript, attempt.dir ?? '');
  const ended = { task, attempt, outcome: 'interrupted', said: undefined, digest, asksNobody: true } as const;
  const { handoff, events } = await settleHandoff(ctx, ended);
  return {
    events: [
      ...events,
      {
        type: 'session.ended',
        task: attempt.task,
        attempt: attempt.number,
        session: attempt.session,
        outcome: 'interrupted',
        summary: 'the harness stopped while the agent was at work',
        // Money is recorded with some delay: the transcript may know of more than the record does.
        usage: addUsage(attempt.agent.spent, subtractUsage(usage, attempt.agent.spent)),
        durationMs: 0,
        transcript,
        ...(handoff ? { handoff } : {}),
      },
    ],
  };
}
