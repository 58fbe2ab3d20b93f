import type { Override } from '../model/facts.ts';
import type { TaskDef } from '../model/task.ts';

/** Trailers by which a landed commit is recognised after a crash, on any clone. */
export function getCommitMessage(
  task: TaskDef,
  attempt: number,
  { proof, override, by }: Provenance = {},
): string {
  // What no backlog lists has to come along, or nobody could prove it again.
  const definition = task.kind === undefined ? '' : `Harness-Definition: ${JSON.stringify(task)}\n`;
  const hashes = proof ? `Harness-Proof: ${proof.hash}\nHarness-Record: ${proof.recordHash}\n` : '';
  const word = override?.satisfied ? 'Harness-Accepted' : 'Harness-Unproven';
  const unproven = override ? `${word}: ${getTrailer(`${override.by}: ${override.reason}`)}\n` : '';
  const person = by === undefined ? '' : `Harness-Work-By: ${getTrailer(by)}\n`;
  return `${getSubject(task)}\n\nHarness-Task: ${task.id}\nHarness-Attempt: ${attempt}\n${definition}${hashes}${unproven}${person}`;
}

/** The merge of several tasks that land together; each has a commit of its own, with its proof. */
export function getBatchMessage(batch: number, tasks: readonly TaskDef[]): string {
  const lines = tasks.map(task => `* ${task.id}: ${getSubject(task)}`);
  const named = tasks.length === 1 ? `task ${tasks[0]?.id}` : `${tasks.length} tasks`;
  return `Merge ${named}\n\n${lines.join('\n')}\n\nHarness-Batch: ${batch}\n`;
}

/** What else a landed commit says of where it comes from. */
interface Provenance {
  readonly proof?: { readonly hash: string; readonly recordHash: string };
  /** Who vouched for it instead, or said that its own tests stand for it. */
  readonly override?: Override | null | undefined;
  /** Whose own work it is. */
  readonly by?: string | undefined;
}

/** The task as its own commit tells it; null for one that a backlog lists. */
export function getDefinitionIn(message: string): TaskDef | null {
  const text = /^Harness-Definition: (\{.*\})$/m.exec(message)?.[1];
  try {
    return text === undefined ? null : (JSON.parse(text) as TaskDef);
  } catch {
    return null;
  }
}

/** One line, as trailers are. */
function getTrailer(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

function getSubject(task: TaskDef): string {
  const line = task.title.replace(/\s+/g, ' ').trim() || `Task ${task.id}`;
  const letters = [...line];
  return letters.length <= 72 ? line : `${letters.slice(0, 71).join('')}…`;
}

/** The ref that keeps an attempt's work, whatever becomes of it. */
export function getAttemptRef(task: string, attempt: number): string {
  return `attempts/${getSafeName(task)}/${attempt}`;
}

/**
 * Under which name the remote has a kept commit: each has one of its own, so that none is lost when another follows, and
 * a host that died in between, or comes back too late, takes nothing from under the record.
 */
export function getRemoteName(name: string, commit: string): string {
  return `${name}.${commit.slice(0, 12)}`;
}

/** The ref that keeps the test an author wrote for a task, until it lands with the work. */
export function getTestRef(task: string): string {
  return `tests/${getSafeName(task)}`;
}

/** Branches that are laid out for people; nothing else is ever named so. */
export const HANDOFF_PREFIX = 'harness/handoff/';

/** The branch on which a person works on a task. */
export function getHandoffBranch(task: string): string {
  return `${HANDOFF_PREFIX}${getSafeName(task)}`;
}

/** An id as part of a path or a ref: any id has a spelling, and no two have the same. */
export function getSafeName(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/gu, letter => `+${letter.codePointAt(0)?.toString(16)}+`);
}
