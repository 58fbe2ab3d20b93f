import { HarnessError } from '../core/base/failure.ts';
import { getCutOff } from '../core/decide/retry.ts';
import { SlotLost } from '../core/decide/slot.ts';
import { SESSION_NOTE_FILE } from '../core/monitor/session-note.ts';
import { getAttemptRef, getCommitMessage } from '../core/proof/commit-message.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { getRecovery } from '../core/state/leftover.ts';
import { getLandedBacklog } from '../session/landed-backlog.ts';
import { readEntry, readOwnNotes, readPutNotes } from '../session/progress-notes.ts';
import { readLeftover, readLines } from '../session/read-changes.ts';
import { takeResearch } from '../session/research.ts';
import {
  endAttempt,
  getRef,
  openTests,
  type StepContext,
  type StepResult,
  seeTests,
  type UnderWay,
} from './step.ts';

/**
 * Turns what is on disk into one commit on the base. The backlog in it is the base's own, with this
 * task's flag set once it is claimed: what an agent wrote there is judged, never carried along.
 */
export async function snapshot(ctx: StepContext, at: UnderWay): Promise<StepResult> {
  const { task, attempt } = at;
  const { workspace, store } = ctx.ports;
  const found = await takeSnapshot(ctx, attempt);
  if (found instanceof SlotLost) return getLoss(attempt, found.message);
  if (found instanceof HarnessError) return getRefusal(attempt, found);
  const left =
    attempt.agent.outcome === 'interrupted' && task.def.kind === undefined
      ? await readLeftover(ctx.ports, ctx.policy, attempt, found.tree)
      : null;
  const isJudged =
    attempt.agent.outcome === 'claimed' || (left !== null && getRecovery(left).action === 'judge');
  const atMs = await store.nowMs();
  const [backlog, { before, added }] = await Promise.all([
    readBacklog(ctx, { task, attempt }, found.tree, isJudged ? atMs : null),
    readOwnNotes(ctx, attempt.base, found.tree),
  ]);
  const put = [{ path: ctx.policy.backlogPath, text: backlog.text }];
  const paths = [SESSION_NOTE_FILE, ...(before === null ? [] : [ctx.policy.notesPath])];
  const research = await takeResearch(ctx, at, found.tree);
  const work = await workspace.compose({ tree: research.tree, take: [{ from: attempt.base, paths }], put });
  const isToLand = before !== null && isJudged && !attempt.isAuthor;
  const entry = isToLand
    ? await readEntry(ctx, { task, attempt, added, work, atMs, seen: await seeTests(ctx, at, work) })
    : undefined;
  const books = [...(await readPutNotes(ctx, attempt.base, entry)), ...backlog.books];
  const tree = books.length > 0 ? await workspace.compose({ tree: work, put: books }) : work;
  // Whatever is claimed will be judged where nobody has worked: that place can be made ready meanwhile.
  if (isJudged) openTests(ctx, attempt.slot).prefetch('candidate', tree);
  const cutOff = getCutOff(ctx.policy, attempt.agent);
  const commit = await workspace.commit({
    tree,
    parent: attempt.base,
    message: `${cutOff?.prefix ?? ''}${getCommitMessage(task.def, attempt.number)}`,
    atMs,
  });
  const [lines] = await Promise.all([
    readLines(ctx, attempt.base, commit),
    cutOff?.keeps === false ? null : workspace.keep(getAttemptRef(attempt.task, attempt.number), commit),
  ]);
  return {
    events: [
      ...research.events,
      {
        type: 'candidate.taken',
        ...getRef(attempt),
        commit,
        tree,
        backlogProblems: backlog.problems,
        claims: backlog.claims,
        lines,
        ...(tree === work ? {} : { work }),
        ...(entry === undefined ? {} : { entry }),
        ...(added.length > 0 ? { notes: added } : {}),
        ...(left ? { left } : {}),
      },
    ],
  };
}

/** Files that no commit can hold are the agent's doing: they end the attempt, not the run. */
async function takeSnapshot(ctx: StepContext, attempt: Attempt): Promise<{ tree: string } | HarnessError> {
  try {
    const found = await ctx.ports.workspace.snapshot(attempt.slot);
    const start = attempt.checkpoint?.commit;
    if (found.preparedFor === undefined || found.preparedFor === start) return found;
    // The attempt was another host's: what its worktree held is out of reach, and nobody's fault.
    if (attempt.leftHost !== null) return new SlotLost('');
    // A worker that slept through the end of its lease prepared the slot for work of its own.
    return new HarnessError('unproven', 'another process reset the worktree while this attempt was running');
  } catch (error) {
    if (error instanceof SlotLost) return error;
    if (error instanceof HarnessError && error.code === 'unproven') return error;
    throw error;
  }
}

/** Whoever cleared the cache, or was lost, took the work with it: that says nothing about the agent or the task. */
function getLoss(attempt: Attempt, message: string): StepResult {
  const { startWip: wip, leftHost } = attempt;
  const reason = leftHost === null ? message : `its work was on host ${leftHost} alone, which is gone`;
  return endAttempt(attempt, { outcome: 'partial', category: 'ENV_SETUP', reason, findings: [], wip });
}

function getRefusal(attempt: Attempt, { message: reason, details }: HarnessError): StepResult {
  const findings = details.fix === undefined ? [] : [details.fix];
  return endAttempt(attempt, { outcome: 'rejected', category: 'TASK_EXEC', reason, findings, wip: null });
}

interface OwnBacklog {
  readonly text: string;
  /** What it lands with instead, where the file keeps more than a flag: no part of the agent's work. */
  readonly books: readonly { readonly path: string; readonly text: string }[];
  readonly claims: readonly string[];
  readonly problems: readonly string[];
}

async function readBacklog(
  ctx: StepContext,
  { task, attempt }: UnderWay,
  tree: string,
  judgedAtMs: number | null,
): Promise<OwnBacklog> {
  const { workspace, backlog } = ctx.ports;
  const { backlogPath } = ctx.policy;
  const [before, after] = await Promise.all([
    workspace.readFile(attempt.base, backlogPath),
    workspace.readFile(tree, backlogPath),
  ]);
  if (before === null) throw new Error(`${backlogPath} is not in commit ${attempt.base}`);
  const compared =
    after === null
      ? { claims: [], problems: [`${backlogPath} was deleted`] }
      : backlog.compare(before, after);
  const hasFlag = task.def.kind === undefined;
  if (judgedAtMs === null || attempt.isAuthor || !hasFlag) return { text: before, books: [], ...compared };
  try {
    const text = backlog.setPasses(before, attempt.task, true);
    const landed = getLandedBacklog(ctx, before, { task: attempt.task, atMs: judgedAtMs });
    return { text, books: landed === text ? [] : [{ path: backlogPath, text: landed }], ...compared };
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    const problems = [...compared.problems, error.message];
    return { text: before, books: [], claims: compared.claims, problems };
  }
}
