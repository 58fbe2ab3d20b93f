import { type Attempt, getWorkTree, type PastAttempt } from './attempt.ts';
import type { State } from './state.ts';
import type { TaskState } from './task-state.ts';

/**
 * Counts the attempts that got nowhere: nothing landed anywhere since the one before, and both the findings
 * and the work are the same. Called with the history as it was before this attempt's end.
 */
export function countProgress(
  { landings }: State,
  task: TaskState,
  attempt: Pick<Attempt, 'candidate'>,
  ending: Pick<PastAttempt, 'outcome' | 'findings'>,
): void {
  const tree = getWorkTree(attempt);
  const { last } = task;
  const findings = [...ending.findings].sort().join('\n');
  const isSame =
    last !== null && last.landings === landings && last.tree === tree && last.findings === findings;
  task.last = { landings, tree, findings, count: isSame ? last.count + 1 : 1 };
}

/** Whether so many attempts in a row brought nothing new. */
export function isIdle(state: State, id: string, sessions: number): boolean {
  const last = state.tasks.get(id)?.last;
  return last !== null && last !== undefined && last.landings === state.landings && last.count >= sessions;
}
