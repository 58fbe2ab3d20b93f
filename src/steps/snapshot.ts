import { getAttemptRef, getCommitMessage } from '../core/commit-message.ts';
import type { FileChange } from '../ports.ts';
import { getUnderWay, type StepContext, type StepResult } from './step.ts';

/**
 * Turns what is on disk into one commit on the base. The backlog in it is the base's own with this
 * task's flag set: what an agent wrote there is judged, never carried along.
 */
export async function snapshot(ctx: StepContext, taskId: string): Promise<StepResult> {
  const { workspace, backlog, store } = ctx.ports;
  const { backlogPath } = ctx.policy;
  const { task, attempt } = getUnderWay(ctx, taskId);
  const found = await workspace.snapshot(attempt.slot);
  const [before, after] = await Promise.all([
    workspace.readFile(attempt.base, backlogPath),
    workspace.readFile(found.tree, backlogPath),
  ]);
  if (before === null) throw new Error(`${backlogPath} is not in commit ${attempt.base}`);
  const compared =
    after === null
      ? { claims: [], problems: [`${backlogPath} was deleted`] }
      : backlog.compare(before, after);
  const text = backlog.setPasses(before, taskId, true);
  const tree = await workspace.compose({ tree: found.tree, put: [{ path: backlogPath, text }] });
  const commit = await workspace.commit({
    tree,
    parent: attempt.base,
    message: getCommitMessage(task.def, attempt.number),
    atMs: await store.nowMs(),
  });
  await workspace.keep(getAttemptRef(taskId, attempt.number), commit);
  const changed = await workspace.changes(attempt.base, commit);
  return {
    events: [
      {
        type: 'candidate.taken',
        task: taskId,
        attempt: attempt.number,
        commit,
        tree,
        backlogProblems: compared.problems,
        claims: compared.claims,
        lines: await getLines(ctx, commit, changed),
      },
    ],
  };
}

async function getLines(
  ctx: StepContext,
  commit: string,
  changes: readonly FileChange[],
): Promise<Record<string, number | null>> {
  const lines: Record<string, number | null> = {};
  for (const { path, kind } of changes) {
    if (path === ctx.policy.backlogPath) continue;
    const text = kind === 'deleted' ? null : await ctx.ports.workspace.readFile(commit, path);
    lines[path] = text === null ? null : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  }
  return lines;
}
