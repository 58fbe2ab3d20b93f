import { HarnessError } from '../core/base/failure.ts';
import { matchesAny } from '../core/base/glob.ts';
import { getLostNote } from '../core/decide/lost-work.ts';
import { getAttemptRef, getCommitMessage } from '../core/proof/commit-message.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { TaskState } from '../core/state/task-state.ts';
import { noteCreation } from '../testruns/install.ts';
import { getRef, type StepContext, type StepResult, type UnderWay } from './step.ts';

/** Lays out the agent's worktree and checks, hash by hash, that it is what it should be. */
export async function prepare(ctx: StepContext, { task, attempt }: UnderWay): Promise<StepResult> {
  const { ports, state } = ctx;
  const left = await getStartCommit(ctx, task, attempt);
  const work = await withOwnPrograms(ctx, task, attempt, left);
  const start = attempt.isAuthor ? work : await addTests(ctx, task, attempt, work);
  const worktree = await ports.workspace.prepare(attempt.slot, start);
  await noteCreation(ctx, worktree);
  const { backlogHash, notesHash } = await checkHashes(ctx, attempt.slot, start);
  return {
    events: [
      {
        type: 'attempt.prepared',
        ...getRef(attempt),
        dir: worktree.dir,
        checkpoint: {
          id: `${attempt.task}-${attempt.number}`,
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

/**
 * An interrupted attempt's work is put onto today's base; when it no longer fits, work starts afresh. The backlog
 * and the notes are today's own.
 */
async function getStartCommit(
  ctx: StepContext,
  task: TaskState,
  { base, startWip: wip }: Attempt,
): Promise<string> {
  if (wip === null) return base;
  const { backlogPath, notesPath } = ctx.policy;
  if (await isWipGone(ctx, task, wip)) {
    await ctx.record([getLostNote(task.def.id, wip)]);
    return base;
  }
  const rebased = await ctx.ports.workspace.rebase(wip, base, [backlogPath, notesPath]);
  return rebased.ok ? rebased.commit : base;
}

/** It may have been another host's. */
async function isWipGone(ctx: StepContext, { def, history }: TaskState, commit: string): Promise<boolean> {
  const past = history.findLast(attempt => attempt.wip === commit);
  if (!past) return false;
  const gone = await ctx.ports.workspace.fetch?.([{ name: getAttemptRef(def.id, past.number), commit }]);
  return gone?.includes(commit) ?? false;
}

/** What starts the agent is the base's, not what an earlier agent made of it, unless that is the task. */
async function withOwnPrograms(
  ctx: StepContext,
  { def }: TaskState,
  attempt: Attempt,
  start: string,
): Promise<string> {
  const paths = ctx.policy.agentScripts.filter(path => !matchesAny(path, def.mayChange));
  if (start === attempt.base || paths.length === 0) return start;
  const { workspace, store } = ctx.ports;
  const ids = (commit: string) => Promise.all(paths.map(path => workspace.blobId(commit, path)));
  const [before, after] = await Promise.all([ids(attempt.base), ids(start)]);
  if (before.every((id, at) => id === after[at])) return start;
  const tree = await workspace.compose({ tree: start, take: [{ from: attempt.base, paths }] });
  const message = getCommitMessage(def, attempt.number);
  return workspace.commit({ tree, parent: attempt.base, message, atMs: await store.nowMs() });
}

/** The tests that an author wrote lie there from the start, unless the base has its own by now. */
async function addTests(
  ctx: StepContext,
  { authored, def }: TaskState,
  attempt: Attempt,
  start: string,
): Promise<string> {
  const { workspace, store } = ctx.ports;
  if (!authored) return start;
  const known = await Promise.all(
    Object.keys(authored.files).map(async path => ({
      path,
      blob: await workspace.blobId(attempt.base, path),
    })),
  );
  const paths = known.filter(({ blob }) => blob === null).map(({ path }) => path);
  if (paths.length === 0) return start;
  const tree = await workspace.compose({ tree: start, take: [{ from: authored.commit, paths }] });
  const message = getCommitMessage(def, attempt.number);
  return workspace.commit({ tree, parent: attempt.base, message, atMs: await store.nowMs() });
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
