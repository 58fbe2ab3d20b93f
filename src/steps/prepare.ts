import { HarnessError } from '../core/failure.ts';
import { getUnderWay, type StepContext, type StepResult } from './step.ts';

/** Lays out the agent's worktree and checks, hash by hash, that it is what it should be. */
export async function prepare(ctx: StepContext, taskId: string): Promise<StepResult> {
  const { ports, policy, state } = ctx;
  const { attempt } = getUnderWay(ctx, taskId);
  const start = await getStartCommit(ctx, attempt.base, attempt.startWip);
  const { dir } = await ports.workspace.prepare(attempt.slot, start);
  const paths = [policy.backlogPath, policy.notesPath];
  const found = await ports.workspace.hashes(attempt.slot, paths);
  const backlogHash = found[policy.backlogPath];
  if (!backlogHash) {
    throw new HarnessError('repo', `${policy.backlogPath} is missing from the worktree of commit ${start}`, {
      file: policy.backlogPath,
      fix: 'check that the backlog is committed on the base branch',
    });
  }
  return {
    events: [
      {
        type: 'attempt.prepared',
        task: taskId,
        attempt: attempt.number,
        dir,
        checkpoint: {
          id: `${taskId}-${attempt.number}`,
          commit: start,
          seq: state.seq,
          backlogHash,
          notesHash: found[policy.notesPath] ?? null,
          reason: 'pre_feature',
        },
      },
    ],
  };
}

/** An interrupted attempt's work is put onto today's base; when it no longer fits, work starts afresh. */
async function getStartCommit(ctx: StepContext, base: string, wip: string | null): Promise<string> {
  if (wip === null) return base;
  const rebased = await ctx.ports.workspace.rebase(wip, base);
  return rebased.ok ? rebased.commit : base;
}
