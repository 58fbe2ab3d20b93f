import { HarnessError } from '../core/base/failure.ts';
import type { Candidate } from '../core/model/facts.ts';
import { getAttemptRef, getCommitMessage } from '../core/proof/commit-message.ts';
import type { TaskState } from '../core/state/task-state.ts';
import { getLandedBacklog } from '../session/landed-backlog.ts';
import { readEntry, readPutNotes } from '../session/progress-notes.ts';
import { getGreenProofs } from '../testruns/own-proof.ts';
import {
  endAttempt,
  getRef,
  openTests,
  type StepContext,
  type StepResult,
  seeTests,
  type UnderWay,
} from './step.ts';

/** Makes a candidate of what a person has decided on, without any agent: kept work, or the mark alone. */
export async function resumeHeld(ctx: StepContext, { task, attempt }: UnderWay): Promise<StepResult> {
  const found =
    (await getUnsatisfied(ctx, { task, attempt })) ?? (await getCandidate(ctx, { task, attempt }));
  if (found instanceof HarnessError) {
    const { message: reason } = found;
    return endAttempt(attempt, { outcome: 'failed', category: 'CONFIG', reason, wip: null, findings: [] });
  }
  return { events: [{ type: 'candidate.taken', ...getRef(attempt), ...found }] };
}

/** What was accepted for its own tests is held to them: on the base that it lands on they still pass. */
async function getUnsatisfied(ctx: StepContext, { task, attempt }: UnderWay): Promise<HarnessError | null> {
  if (!attempt.resumes?.override?.satisfied) return null;
  const tests = openTests(ctx, attempt.slot);
  const green = await getGreenProofs({ ...ctx, tests }, task.def, attempt.baseTree);
  if (green !== null) return null;
  return new HarnessError('config', `the tests of task ${task.def.id} do not pass on the base any more`);
}

interface Found {
  readonly commit: string;
  readonly tree: string;
  readonly backlogProblems: readonly string[];
  readonly claims: readonly string[];
  readonly lines: Readonly<Record<string, number | null>>;
  readonly work?: string;
  readonly entry?: string;
}

async function getCandidate(ctx: StepContext, { task, attempt }: UnderWay): Promise<Found | HarnessError> {
  const override = attempt.resumes?.override ?? null;
  const kept = attempt.resumes?.attempt === null ? null : (task.held?.candidate ?? null);
  const books = { ...(kept?.work ? { work: kept.work } : {}), ...(kept?.entry ? { entry: kept.entry } : {}) };
  const by = attempt.resumes?.by;
  if (kept && by !== undefined) return addEntry(ctx, { task, attempt }, kept, by);
  if (kept && !override) {
    const { commit, tree, backlogProblems, claims, lines } = kept;
    return { commit, tree, backlogProblems, claims, lines, ...books };
  }
  const tree = await getMarkedTree(ctx, task.def, attempt.base, kept?.tree ?? attempt.baseTree);
  if (tree instanceof HarnessError) return tree;
  const { workspace, store } = ctx.ports;
  const message = getCommitMessage(task.def, attempt.number, { override });
  const commit = await workspace.commit({ tree, parent: attempt.base, message, atMs: await store.nowMs() });
  return { commit, tree, backlogProblems: [], claims: [task.def.id], lines: kept?.lines ?? {}, ...books };
}

/** A person's work brings an entry of the notes with it, as any landing does. */
async function addEntry(
  ctx: StepContext,
  { task, attempt }: UnderWay,
  kept: Candidate,
  by: string,
): Promise<Found> {
  const { workspace, store } = ctx.ports;
  const { commit, tree: work, backlogProblems, claims, lines } = kept;
  const found = { backlogProblems, claims, lines };
  const atMs = await store.nowMs();
  const seen = await seeTests(ctx, { task, attempt }, work);
  const entry = await readEntry(ctx, { task, attempt, added: [`done by hand by ${by}`], work, atMs, seen });
  const path = ctx.policy.backlogPath;
  const before = (await workspace.readFile(attempt.base, path)) ?? '';
  const text = getLandedBacklog(ctx, before, { task: task.def.id, atMs });
  const put = [...(await readPutNotes(ctx, attempt.base, entry)), { path, text }];
  const tree = await workspace.compose({ tree: work, put });
  if (tree === work) return { commit, tree, ...found };
  const message = getCommitMessage(task.def, attempt.number, { by });
  const noted = await workspace.commit({ tree, parent: attempt.base, message, atMs });
  await workspace.keep(getAttemptRef(task.def.id, attempt.number), noted);
  return { commit: noted, tree, ...found, work, entry };
}

/** The backlog is the base's own with this one flag set (where it lists the task), whatever the kept work made of it. */
async function getMarkedTree(
  ctx: StepContext,
  { id, kind }: TaskState['def'],
  base: string,
  tree: string,
): Promise<string | HarnessError> {
  const { workspace, store } = ctx.ports;
  const path = ctx.policy.backlogPath;
  try {
    const before = (await workspace.readFile(base, path)) ?? '';
    const now = { task: id, atMs: await store.nowMs() };
    const text = kind === undefined ? getLandedBacklog(ctx, before, now) : before;
    return await workspace.compose({ tree, put: [{ path, text }] });
  } catch (error) {
    if (error instanceof HarnessError && error.code === 'backlog') return error;
    throw error;
  }
}
