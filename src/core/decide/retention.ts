import { getStartWip } from '../state/attempt.ts';
import type { State } from '../state/state.ts';

/** One attempt's kept work: its checkpoint and the ref that holds the candidate. */
export interface KeptAttempt {
  readonly id: string;
  readonly task: string;
  readonly attempt: number;
}

/**
 * Kept attempts that may go: the one that landed, whose work is in the history; beyond the last few that did
 * not; and anything too old. The attempt under way and work that a next attempt will go on with, or that a person is to look at, are never among them.
 */
export function getExpiredAttempts(
  state: State,
  nowMs: number,
  rule: { readonly perTask: number; readonly maxAgeMs: number },
): KeptAttempt[] {
  const seen = new Map<string, number>();
  const expired: KeptAttempt[] = [];
  for (let i = state.checkpoints.length - 1; i >= 0; i--) {
    const entry = state.checkpoints[i];
    if (!entry) continue;
    const { task, attempt, atMs, checkpoint } = entry;
    const isLanded = state.tasks.get(task)?.landed?.attempt === attempt;
    const newer = seen.get(task) ?? 0;
    seen.set(task, newer + Number(!isLanded));
    if (isNeeded(state, task, attempt)) continue;
    if (isLanded || newer >= rule.perTask || nowMs - atMs > rule.maxAgeMs)
      expired.push({ id: checkpoint.id, task, attempt });
  }
  return expired;
}

function isNeeded(state: State, id: string, attempt: number): boolean {
  if (state.active.has(id)) return true;
  const task = state.tasks.get(id);
  if (!task || task.status === 'landed' || task.status === 'removed') return false;
  if (task.history.at(-1)?.number !== attempt) return false;
  return (
    task.history.at(-1)?.question != null ||
    getStartWip(task.history) !== null ||
    task.held?.awaitsPerson === true ||
    task.people.override !== null
  );
}
