import { HarnessError } from '../core/base/failure.ts';
import type { Candidate } from '../core/model/facts.ts';
import { getCommitMessage } from '../core/proof/commit-message.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { Ports, Tip } from '../ports/index.ts';
import type { SessionContext } from './context.ts';
import { getLandedBacklog } from './landed-backlog.ts';
import { readPutNotes } from './progress-notes.ts';

/** An attempt, and its task. */
interface Put {
  readonly task: TaskState;
  readonly attempt: Attempt;
}

/**
 * Backlogs and notes are never merged: the work goes onto the tip without them, and the flag and the entry are
 * put into the tip's own.
 */
export async function putOnto(
  ctx: SessionContext,
  at: Put,
  candidate: Candidate,
  tip: Pick<Tip, 'commit'>,
): Promise<{ commit: string; tree: string } | { findings: string[]; conflicts: readonly string[] }> {
  const { workspace, store } = ctx.ports;
  const path = ctx.policy.backlogPath;
  const paths = [path, ...(candidate.entry ? [ctx.policy.notesPath] : [])];
  const { base } = at.attempt;
  const work = await commit(ctx, at, base, { tree: candidate.tree, take: [{ from: base, paths }] });
  const rebased = await workspace.rebase(work.commit, tip.commit);
  if (!rebased.ok) {
    const { conflicts } = rebased;
    return { findings: conflicts.map(file => `${file} was changed on the base in the meantime`), conflicts };
  }
  try {
    const before = (await workspace.readFile(tip.commit, path)) ?? '';
    const { def } = at.task;
    const now = { task: def.id, atMs: await store.nowMs() };
    const text = def.kind === undefined ? getLandedBacklog(ctx, before, now) : before;
    const put = [{ path, text }, ...(await readPutNotes(ctx, tip.commit, candidate.entry))];
    return await commit(ctx, at, tip.commit, { tree: rebased.tree, put });
  } catch (error) {
    if (error instanceof HarnessError && error.code === 'backlog')
      return { findings: [error.message], conflicts: [] };
    throw error;
  }
}

async function commit(
  ctx: SessionContext,
  { task, attempt }: Put,
  parent: string,
  content: Parameters<Ports['workspace']['compose']>[0],
): Promise<{ commit: string; tree: string }> {
  const { workspace, store } = ctx.ports;
  const tree = await workspace.compose(content);
  const { override, by } = attempt.resumes ?? {};
  const message = getCommitMessage(task.def, attempt.number, { override, by });
  return { commit: await workspace.commit({ tree, parent, message, atMs: await store.nowMs() }), tree };
}
