import { haveCommonPath } from '../base/glob-overlap.ts';
import type { State } from '../state/state.ts';
import { canGoWithoutAgent } from '../state/task-state.ts';

/**
 * The task at work that has said it will write a file which this one will write, too: the second would be paid for
 * and then conflict with the first. What a person has decided only has to land, and waits for nobody.
 */
export function findWriter({ tasks, active }: State, id: string): string | null {
  if (active.size === 0) return null;
  const task = tasks.get(id);
  const { outputs } = task?.def ?? {};
  if (!task || !outputs || canGoWithoutAgent(task)) return null;
  for (const other of active.keys()) {
    const theirs = tasks.get(other)?.def.outputs;
    if (other !== id && theirs && haveCommonPath(outputs, theirs)) return other;
  }
  return null;
}
