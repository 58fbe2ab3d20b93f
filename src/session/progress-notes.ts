import { getUtcMinute } from '../core/base/utc-minute.ts';
import { getNextAfter } from '../core/decide/next-task.ts';
import { isContextFull } from '../core/decide/retry.ts';
import { isBacklogPath, type Policy } from '../core/model/policy.ts';
import {
  addProgressEntry,
  getAddedNotes,
  getProgressEntry,
  type ProgressEntry,
  type UnfinishedSession,
} from '../core/prompt/progress-notes.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { SessionContext } from './context.ts';

/** What is to be written into the notes for a session, and what the agent wrote there itself. */
export interface OwnNotes {
  /** The base's own; null where the project keeps no notes. */
  readonly before: string | null;
  readonly added: readonly string[];
}

/** The notes as the base has them, and what the agent has put below; its version is not carried along. */
export async function readOwnNotes(ctx: SessionContext, base: string, tree: string): Promise<OwnNotes> {
  const { workspace } = ctx.ports;
  const { notesPath } = ctx.policy;
  const before = await workspace.readFile(base, notesPath);
  if (before === null) return { before, added: [] };
  return { before, added: getAddedNotes(before, await workspace.readFile(tree, notesPath)) };
}

interface EntryFacts {
  readonly task: TaskState;
  readonly attempt: Attempt;
  readonly added: readonly string[];
  /** The tree without any entry. */
  readonly work: string;
  readonly atMs: number;
  /** What the tests said of it. */
  readonly seen: Pick<ProgressEntry, 'own' | 'suite'>;
}

/** The entry that lands together with the work. */
export async function readEntry(ctx: SessionContext, facts: EntryFacts): Promise<string> {
  const { state, policy, ports } = ctx;
  const { task, attempt, added, work, atMs, seen } = facts;
  const changes = await ports.workspace.changes(attempt.base, work);
  const entry = getProgressEntry({
    session: attempt.session,
    when: getUtcMinute(atMs),
    task: task.def,
    done: [...attempt.agent.summary.split('\n').slice(0, 5), ...added],
    files: changes.map(({ path }) => path).filter(path => isWork(policy, path)),
    decisions: state.recent.decisions
      .filter(one => one.task === task.def.id && one.session === attempt.session)
      .map(({ text }) => text),
    ...seen,
    before: getUnfinished(task, policy),
    next: getNextAfter(state, task, policy),
  });
  return ports.redact?.(entry) ?? entry;
}

/** The notes of a commit with an entry put below them; none where it has no notes, or there is nothing to put. */
export async function readPutNotes(
  { ports, policy }: SessionContext,
  commit: string,
  entry: string | undefined,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const path = policy.notesPath;
  const notes = entry === undefined ? null : await ports.workspace.readFile(commit, path);
  return notes === null || entry === undefined ? [] : [{ path, text: addProgressEntry(notes, entry) }];
}

function isWork(policy: Policy, path: string): boolean {
  return path !== policy.notesPath && !isBacklogPath(policy, path);
}

/** Attempts at it since it last landed, as far as an agent worked in them. */
function getUnfinished({ history }: TaskState, { cutOff }: Policy): readonly UnfinishedSession[] {
  const since = history.findLastIndex(({ outcome }) => outcome === 'landed') + 1;
  return history.slice(since).flatMap(past => {
    const { session, outcome, reason, sessionNote, endedAtMs, category } = past;
    if (isContextFull(past) && !cutOff.notesContext) return [];
    if (category === 'ENV_SETUP' || category === 'DEPENDENCY') return [];
    const done = sessionNote?.completed ?? [];
    const nextStep = sessionNote?.next_step || null;
    return [{ session, when: getUtcMinute(endedAtMs), done, outcome, reason, nextStep }];
  });
}
