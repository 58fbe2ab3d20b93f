import type { HarnessEvent } from '../core/events/event.ts';
import { addUsage, subtractUsage } from '../core/model/usage.ts';
import { getTaskResource } from '../core/model/world.ts';
import { getKeptWork } from '../core/proof/kept-work.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { getSessionRef } from '../session/context.ts';
import { settleSessionNote } from '../session/session-note.ts';
import { getTranscriptPath, readTranscriptDigest } from '../session/transcript.ts';
import { getRef, type StepContext, type StepResult, type UnderWay } from './step.ts';

/** Goes on with an attempt whose worker is gone, after ending whatever that worker left running. */
export async function adoptAttempt(
  { ports, policy }: StepContext,
  { task, attempt }: UnderWay,
  action: { readonly task: string; readonly fence: number | null; readonly reason: string },
): Promise<StepResult> {
  const owner = ports.workers.self.id;
  const wanted = { resource: getTaskResource(action.task), owner, ttlMs: policy.leaseMs };
  // A worker that has slept may come back to its lease; only one that has lost the attempt for good is swept away, later.
  const taken = await ports.store.acquire(
    action.fence === null ? wanted : { ...wanted, adoptedFence: action.fence },
  );
  if (!taken.ok) return { events: [] };
  const remarks = await ports.workspace.recover(false);
  // What another host left can be had where it was kept; whatever needs it asks again, and ends the attempt where it is gone.
  await ports.workspace.fetch?.(getKeptWork(attempt, task)).catch(() => undefined);
  return {
    events: [
      ...remarks.map(text => ({ type: 'note.added', level: 'important', text }) as const),
      { type: 'attempt.taken-over', ...getRef(attempt), worker: owner, reason: action.reason },
    ],
    acquire: { ...wanted, adoptedFence: taken.lease.fence },
  };
}

/** Records that a session died with its worker; what it left on disk is taken by the snapshot. */
export async function interrupt(ctx: StepContext, { task, attempt }: UnderWay): Promise<StepResult> {
  const transcript = await ctx.ports.artifacts.closeTranscript(getTranscriptPath(attempt));
  const { digest, usage } = await readTranscriptDigest(ctx, transcript, attempt.dir ?? '');
  const ended = {
    task,
    attempt,
    outcome: 'interrupted',
    fromTool: undefined,
    digest,
    asksNobody: true,
  } as const;
  const { sessionNote, events } = await settleSessionNote(ctx, ended);
  return {
    events: [
      ...(await readSteps(ctx, attempt)),
      ...events,
      {
        type: 'session.ended',
        ...getSessionRef(attempt),
        outcome: 'interrupted',
        summary: 'the harness stopped while the agent was at work',
        // Money is recorded with some delay: the transcript may know of more than the record does.
        usage: addUsage(attempt.agent.spent, subtractUsage(usage, attempt.agent.spent)),
        durationMs: 0,
        transcript,
        ...(sessionNote ? { handoff: sessionNote } : {}),
      },
    ],
  };
}

/** What its agent said through the tools of the harness, which is read when a session is over. */
async function readSteps({ ports }: StepContext, attempt: Attempt): Promise<readonly HarnessEvent[]> {
  const entries = attempt.dir && ports.toolbox ? await ports.toolbox.read(attempt.dir) : [];
  return entries.flatMap(entry => {
    if (entry.type !== 'checkpoint') return [];
    const { step, total, description } = entry;
    return [{ type: 'step.reached', ...getSessionRef(attempt), step, total, description } as const];
  });
}
