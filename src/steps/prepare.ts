import { noteBirth } from '../checks/test-runs.ts';
import { HarnessError } from '../core/failure.ts';
import { getUnderWay, type StepContext, type StepResult } from './step.ts';

/** Lays out the agent's worktree and checks, hash by hash, that it is what it should be. */
export async function prepare(ctx: StepContext, taskId: string): Promise<StepResult> {
  const { ports, state } = ctx;
  const { attempt } = getUnderWay(ctx, taskId);
  const start = await getStartCommit(ctx, attempt.base, attempt.startWip);
  const place = await ports.workspace.prepare(attempt.slot, start);
  await noteBirth(ctx, place);
  const { backlogHash, notesHash } = await checkHashes(ctx, attempt.slot, start);
  return {
    events: [
      {
        type: 'attempt.prepared',
        task: taskId,
        attempt: attempt.number,
        dir: place.dir,
        checkpoint: {
          id: `${taskId}-${attempt.number}`,
          commit: start,
          seq: state.seq,
          backlogHash,
          notesHash,
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

/** The files that steer the agent are, byte for byte, those of the commit; anything else is no clean start. */
async function checkHashes(
  ctx: StepContext,
  slot: number,
  commit: string,
): Promise<{ backlogHash: string; notesHash: string | null }> {
  const { workspace } = ctx.ports;
  const { backlogPath, notesPath } = ctx.policy;
  const onDisk = await workspace.hashes(slot, [backlogPath, notesPath]);
  for (const path of [backlogPath, notesPath]) {
    if ((await workspace.blobId(commit, path)) === (onDisk[path] ?? null)) continue;
    throw new HarnessError('repo', `${path} in the worktree is not what commit ${commit} says`, {
      file: path,
      fix: 'run again; if it stays, remove the worktrees (their place: harness doctor)',
    });
  }
  const backlogHash = onDisk[backlogPath];
  if (backlogHash) return { backlogHash, notesHash: onDisk[notesPath] ?? null };
  throw new HarnessError('repo', `${backlogPath} is missing from commit ${commit}`, {
    file: backlogPath,
    fix: 'commit the backlog on the base branch',
  });
}
