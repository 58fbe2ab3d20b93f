import { HarnessError } from '../core/base/failure.ts';
import { getShellQuoted } from '../core/base/shell-quoted.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import type { Candidate } from '../core/model/facts.ts';
import { getAttemptRef, getCommitMessage, getHandoffBranch } from '../core/proof/commit-message.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { mayLand } from '../core/state/attempt.ts';
import { getSuspects } from '../core/state/regression.ts';
import { getNewlyRed } from '../core/state/suite.ts';
import type { Tip } from '../ports/index.ts';
import { readPutNotes } from '../session/progress-notes.ts';
import {
  endAttempt,
  getAwaited,
  getLandedBacklog,
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
  const landed = (await workspace.findLandings(attempt.firstBase, tip.commit)).find(
    found => found.commit === attempt.landing,
  );
  if (landed) {
    const notes =
      landed.proof === attempt.judged?.proof?.hash ? await annotate(ctx, attempt, landed.commit) : [];
    return getLanded(ctx, attempt, { commit: landed.commit, ref: tip.ref }, notes);
  }
  if (tip.commit !== attempt.base) return rebase(ctx, { task, attempt }, candidate, tip);
  const isOverride = Boolean(attempt.resumes?.override);
  if (!isOverride && (await readProof(ctx, attempt)) === null) return judgeAgain(attempt, candidate);
  const commit = isOverride ? candidate.commit : await makeLanding(ctx, { task, attempt }, candidate.tree);
  if (attempt.stage !== 'landing')
    await ctx.record([{ type: 'landing.started', ...getRef(attempt), commit, onto: tip.commit }]);
  const result = await workspace.land({ commit, expected: tip.commit });
  if (!result.ok) return { events: [] };
  const notes = await annotate(ctx, attempt, result.commit);
  if (result.note)
    notes.push({ type: 'note.added', level: 'important', text: result.note, task: attempt.task });
  return getLanded(ctx, attempt, result, notes);
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

async function readProof(ctx: StepContext, { judged }: Attempt): Promise<string | null> {
  const { proof } = judged ?? {};
  return proof?.hash && proof.recordHash ? ctx.ports.artifacts.read(proof) : null;
}

/** Without its proof nothing lands: the same candidate is judged once more. */
function judgeAgain(attempt: Attempt, { commit, tree }: Candidate): StepResult {
  const { base, baseTree } = attempt;
  return { events: [{ type: 'candidate.rebased', ...getRef(attempt), commit, tree, base, baseTree }] };
}

/** Sends the proof along with the commit. One that has been lost meanwhile can be made again by anybody. */
async function annotate(ctx: StepContext, attempt: Attempt, commit: string): Promise<HarnessEvent[]> {
  if (attempt.resumes?.override) return [];
  const text = await readProof(ctx, attempt);
  if (text !== null) {
    await ctx.ports.workspace.annotate(commit, text);
    return [];
  }
  const lost = `the proof of task ${attempt.task} was lost before it was kept in git: harness verify ${getShellQuoted(attempt.task)}`;
  return [{ type: 'note.added', level: 'important', text: lost, task: attempt.task }];
}

async function getLanded(
  ctx: StepContext,
  attempt: Attempt,
  { commit, ref }: { readonly commit: string; readonly ref: string },
  notes: readonly HarnessEvent[],
): Promise<StepResult> {
  const measured = await readMeasured(ctx, attempt);
  const landed = { type: 'task.landed', ...getRef(attempt), commit, ref } as const;
  return { events: [...notes, ...measured, landed], release: true };
}

/** The verdict has run the suite on what lands: whoever looks at the project sees what passes from now on. */
async function readMeasured(ctx: StepContext, { task, slot, candidate }: Attempt): Promise<HarnessEvent[]> {
  const tree = candidate?.tree ?? '';
  if (ctx.state.suite.baseline?.tree === tree) return [];
  const known = await openTests(ctx, slot, getAwaited(ctx, task)).recallBaseline(tree);
  if (known === null) return [];
  const { state, policy } = ctx;
  const { passing, failing } = known.baseline;
  // What has turned red is for the next look at the base to accuse, by what was green before.
  if (getNewlyRed(state.suite, failing).length > 0) return [];
  if (getSuspects(state, known.baseline, policy.testing.full).length > 0) return [];
  return [{ type: 'baseline.measured', tree, command: known.command, passing, failing }];
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
  const rebase = `git switch ${getHandoffBranch(task)} && git rebase ${onto}   (the tip of ${tip.ref.replace('refs/heads/', '')}), and resolve what conflicts`;
  const findings = [...conflicts, rebase, `harness takeback ${getShellQuoted(task)}`];
  return {
    outcome: 'needs-human',
    category,
    reason: `the work of ${by} conflicts with what landed meanwhile`,
    findings,
  } as const;
}

/**
 * Backlogs and notes are never merged: the work goes onto the tip without them, and the flag and the entry are
 * put into the tip's own.
 */
async function putOnto(
  ctx: StepContext,
  at: UnderWay,
  candidate: Candidate,
  tip: Tip,
): Promise<{ commit: string; tree: string } | { findings: string[] }> {
  const { workspace, store } = ctx.ports;
  const path = ctx.policy.backlogPath;
  const paths = [path, ...(candidate.entry ? [ctx.policy.notesPath] : [])];
  const { base } = at.attempt;
  const work = await commit(ctx, at, base, { tree: candidate.tree, take: [{ from: base, paths }] });
  const rebased = await workspace.rebase(work.commit, tip.commit);
  if (!rebased.ok)
    return { findings: rebased.conflicts.map(file => `${file} was changed on the base in the meantime`) };
  try {
    const before = (await workspace.readFile(tip.commit, path)) ?? '';
    const { def } = at.task;
    const now = { task: def.id, atMs: await store.nowMs() };
    const text = def.kind === undefined ? getLandedBacklog(ctx, before, now) : before;
    const put = [{ path, text }, ...(await readPutNotes(ctx, tip.commit, candidate.entry))];
    return await commit(ctx, at, tip.commit, { tree: rebased.tree, put });
  } catch (error) {
    if (error instanceof HarnessError && error.code === 'backlog') return { findings: [error.message] };
    throw error;
  }
}

async function commit(
  ctx: StepContext,
  { task, attempt }: UnderWay,
  parent: string,
  content: Parameters<StepContext['ports']['workspace']['compose']>[0],
): Promise<{ commit: string; tree: string }> {
  const { workspace, store } = ctx.ports;
  const tree = await workspace.compose(content);
  const { override, by } = attempt.resumes ?? {};
  const message = getCommitMessage(task.def, attempt.number, { override, by });
  return { commit: await workspace.commit({ tree, parent, message, atMs: await store.nowMs() }), tree };
}
