import { getUtcMinute } from '../core/base/utc-minute.ts';
import { isBacklogPath, type Policy } from '../core/model/policy.ts';
import { addProgressEntry, getAddedNotes, getProgressEntry } from '../core/prompt/progress-notes.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { State } from '../core/state/state.ts';
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
}

/** The entry that lands together with the work. */
export async function readEntry(ctx: SessionContext, facts: EntryFacts): Promise<string> {
  const { state, policy, ports } = ctx;
  const { task, attempt, added, work, atMs } = facts;
  const changes = await ports.workspace.changes(attempt.base, work);
  const { baseline } = state.suite;
  const entry = getProgressEntry({
    session: attempt.session,
    when: getUtcMinute(atMs),
    task: task.def,
    done: [...attempt.agent.summary.split('\n').slice(0, 5), ...added],
    files: changes.map(({ path }) => path).filter(path => isWork(policy, path)),
    decisions: state.recent.decisions
      .filter(one => one.task === task.def.id && one.session === attempt.session)
      .map(({ text }) => text),
    tests: baseline && { passing: baseline.passing.length, failing: baseline.failing.length },
    next: getNext(state, task),
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

/** What comes first once this task has landed. */
function getNext(state: State, { def }: TaskState): { id: string; title: string } | null {
  const id =
    state.ready.peek(one => one === def.id) ??
    [...(state.dependents.get(def.id) ?? [])].find(one => state.tasks.get(one)?.unmet === 1);
  const next = id === undefined ? undefined : state.tasks.get(id)?.def;
  return next ? { id: next.id, title: next.title } : null;
}
