import { isProven } from '../core/apply-attempt.ts';
import type { Attempt } from '../core/attempt.ts';
import { getAttemptRef } from '../core/commit-message.ts';
import type { HarnessEvent } from '../core/event.ts';
import type { Tip } from '../ports.ts';
import { getUnderWay, type StepContext, type StepResult } from './step.ts';

/**
 * Moves the branch. The intent is recorded under the lease first; the ref moves by compare-and-swap,
 * and the commit carries the task's id, so that doing it twice has the effect of once.
 */
export async function land(ctx: StepContext, taskId: string): Promise<StepResult> {
  const { workspace } = ctx.ports;
  const { attempt } = getUnderWay(ctx, taskId);
  const { candidate } = attempt;
  if (!candidate || !isProven(attempt))
    throw new Error(`task ${taskId} may not land: nothing has been proven`);
  const tip = await workspace.tip();
  const landed = (await workspace.findLandings(attempt.firstBase, tip.commit)).find(
    found => found.task === taskId,
  );
  if (landed) return getLanded(attempt, landed.commit, tip.ref, []);
  if (tip.commit !== attempt.base) return rebase(ctx, attempt, candidate.commit, tip);
  if (attempt.stage !== 'landing') {
    await ctx.record([
      { type: 'landing.started', ...getRef(attempt), commit: candidate.commit, onto: tip.commit },
    ]);
  }
  const result = await workspace.land({ commit: candidate.commit, expected: tip.commit });
  if (!result.ok) return { events: [] };
  const notes: HarnessEvent[] = result.note
    ? [{ type: 'note.added', level: 'important', text: result.note, task: taskId }]
    : [];
  return getLanded(attempt, result.commit, result.ref, notes);
}

function getLanded(
  attempt: Attempt,
  commit: string,
  ref: string,
  notes: readonly HarnessEvent[],
): StepResult {
  return { events: [...notes, { type: 'task.landed', ...getRef(attempt), commit, ref }], release: true };
}

/** The base moved on: the candidate is put onto it and has to be proven again. */
async function rebase(ctx: StepContext, attempt: Attempt, commit: string, tip: Tip): Promise<StepResult> {
  const rebased = await ctx.ports.workspace.rebase(commit, tip.commit);
  if (rebased.ok) {
    await ctx.ports.workspace.keep(getAttemptRef(attempt.task, attempt.number), rebased.commit);
    const { commit, tree } = rebased;
    const base = { base: tip.commit, baseTree: tip.tree };
    return { events: [{ type: 'candidate.rebased', ...getRef(attempt), commit, tree, ...base }] };
  }
  const findings = rebased.conflicts.map(path => `${path} was changed on the base in the meantime`);
  const ending = {
    outcome: 'rejected',
    reason: 'the work conflicts with what landed meanwhile',
    category: 'TASK_EXEC',
  } as const;
  return {
    events: [{ type: 'attempt.ended', ...getRef(attempt), ...ending, wip: commit, findings }],
    release: true,
  };
}

function getRef(attempt: Attempt): { task: string; attempt: number } {
  return { task: attempt.task, attempt: attempt.number };
}
