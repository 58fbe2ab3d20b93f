import { getShellQuoted } from '../core/base/shell-quoted.ts';
import { getShortRef } from '../core/base/short-ref.ts';
import { getOtherLanding, getOutdoneEnding } from '../core/decide/foreign-landings.ts';
import { isQueueInUse } from '../core/decide/merge-queue.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import type { Candidate } from '../core/model/facts.ts';
import { getAttemptRef, getCommitMessage, getHandoffBranch } from '../core/proof/commit-message.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { mayLand } from '../core/state/attempt.ts';
import type { Tip } from '../ports/index.ts';
import { annotate, readProof } from '../session/annotate-landing.ts';
import { putOnto } from '../session/put-onto.ts';
import { readMeasured } from '../testruns/read-measured.ts';
import {
  endAttempt,
  getAwaited,
  getRef,
  openTests,
  type StepContext,
  type StepResult,
  type UnderWay,
} from './step.ts';

/**
 * Moves the branch. The intent is recorded under the lease first, with the very commit; the ref moves by
 * compare-and-swap, so that doing it twice has the effect of once. Trailers are anybody's to write, so
 * only the recorded commit is taken for a landing.
 */
export async function land(ctx: StepContext, { task, attempt }: UnderWay): Promise<StepResult> {
  const { workspace } = ctx.ports;
  const { candidate } = attempt;
  if (!candidate || !mayLand(attempt))
    throw new Error(`task ${attempt.task} may not land: nothing has been proven`);
  const tip = await workspace.tip();
  const found = await workspace.findLandings(attempt.firstBase, tip.commit);
  const landed = found.find(({ commit }) => commit === attempt.landing);
  if (landed) {
    const notes =
      landed.proof === attempt.judged?.proof?.hash ? await annotate(ctx, attempt, landed.commit) : [];
    return getLanded(ctx, attempt, { commit: landed.commit, ref: tip.ref }, notes);
  }
  const other = workspace.fetch && getOtherLanding(task, attempt.landing, found);
  if (other) return endAttempt(attempt, getOutdoneEnding(attempt, other));
  const isOverride = Boolean(attempt.resumes?.override);
  const isQueued =
    canQueue(ctx, attempt) &&
    (workspace.fetch !== undefined || tip.commit !== attempt.base || isQueueInUse(ctx.state));
  if (!isQueued && tip.commit !== attempt.base) return rebase(ctx, { task, attempt }, candidate, tip);
  if (!isOverride && (await readProof(ctx, attempt)) === null) return judgeAgain(attempt, candidate);
  const commit = isOverride ? candidate.commit : await makeLanding(ctx, { task, attempt }, candidate.tree);
  if (isQueued) return queue(ctx, attempt, commit);
  if (attempt.stage !== 'landing')
    await ctx.record([{ type: 'landing.started', ...getRef(attempt), commit, onto: tip.commit }]);
  const result = await workspace.land({ commit, expected: tip.commit });
  if (!result.ok) return { events: [] };
  const notes = await annotate(ctx, attempt, result.commit);
  if (result.note)
    notes.push({ type: 'note.added', level: 'important', text: result.note, task: attempt.task });
  return getLanded(ctx, attempt, result, notes);
}

/** What an agent did, where others land at the same time; a person's work keeps its own way back to them. */
function canQueue({ isShared, policy }: StepContext, { resumes }: Attempt): boolean {
  return isShared && policy.queue.history === 'merge' && resumes === null;
}

/** What was judged waits to land as it is: on its own base, byte for byte. */
async function queue(ctx: StepContext, attempt: Attempt, commit: string): Promise<StepResult> {
  await ctx.ports.workspace.keep(getAttemptRef(attempt.task, attempt.number), commit);
  // Whoever lands it may be another host, which has no proof of ours but this.
  const notes = await annotate(ctx, attempt, commit);
  return { events: [...notes, { type: 'candidate.queued', ...getRef(attempt), commit }], release: true };
}

/** The candidate's commit anew, with the hashes of its proof; made twice, it is the same commit. */
async function makeLanding(ctx: StepContext, { task, attempt }: UnderWay, tree: string): Promise<string> {
  const { hash = '', recordHash = '' } = attempt.judged?.proof ?? {};
  const message = getCommitMessage(task.def, attempt.number, {
    proof: { hash, recordHash },
    by: attempt.resumes?.by,
  });
  const atMs = attempt.judged?.atMs ?? 0;
  return ctx.ports.workspace.commit({ tree, parent: attempt.base, message, atMs });
}

/** Without its proof nothing lands: the same candidate is judged once more. */
function judgeAgain(attempt: Attempt, { commit, tree }: Candidate): StepResult {
  const { base, baseTree } = attempt;
  const event = { type: 'candidate.rebased', ...getRef(attempt), commit, tree, base, baseTree } as const;
  return { events: [{ ...event, again: true }] };
}

async function getLanded(
  ctx: StepContext,
  attempt: Attempt,
  { commit, ref }: { readonly commit: string; readonly ref: string },
  notes: readonly HarnessEvent[],
): Promise<StepResult> {
  const { task, slot, candidate } = attempt;
  const measured = await readMeasured(
    ctx,
    openTests(ctx, slot, getAwaited(ctx, task)),
    candidate?.tree ?? '',
  );
  const landed = { type: 'task.landed', ...getRef(attempt), commit, ref } as const;
  return { events: [...notes, ...measured, landed], release: true };
}

/** The base moved on: the candidate is put onto it and has to be proven again. */
async function rebase(
  ctx: StepContext,
  { task, attempt }: UnderWay,
  candidate: Candidate,
  tip: Tip,
): Promise<StepResult> {
  const moved = await putOnto(ctx, { task, attempt }, candidate, tip);
  if ('commit' in moved) {
    await ctx.ports.workspace.keep(getAttemptRef(attempt.task, attempt.number), moved.commit);
    const base = { base: tip.commit, baseTree: tip.tree };
    return { events: [{ type: 'candidate.rebased', ...getRef(attempt), ...moved, ...base }] };
  }
  const ending = getConflictEnding(attempt, tip, moved.findings);
  return endAttempt(attempt, { ...ending, wip: candidate.commit });
}

/** An agent starts anew from the tip; a person is told how to bring their branch there, and keeps the task. */
function getConflictEnding({ task, resumes }: Attempt, tip: Tip, conflicts: readonly string[]) {
  const category = 'TASK_EXEC' as const;
  const by = resumes?.by;
  if (by === undefined) {
    const reason = 'the work conflicts with what landed meanwhile';
    return { outcome: 'rejected', category, reason, findings: conflicts } as const;
  }
  const onto = tip.commit.slice(0, 10);
  const rebase = `git switch ${getHandoffBranch(task)} && git rebase ${onto}   (the tip of ${getShortRef(tip.ref)}), and resolve what conflicts`;
  const findings = [...conflicts, rebase, `harness takeback ${getShellQuoted(task)}`];
  return {
    outcome: 'needs-human',
    category,
    reason: `the work of ${by} conflicts with what landed meanwhile`,
    findings,
  } as const;
}
