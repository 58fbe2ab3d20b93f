import { haveCommonPath } from '../base/glob-overlap.ts';
import type { State } from '../state/state.ts';
import { canGoWithoutAgent, type TaskState } from '../state/task-state.ts';

/**
 * The task at work that has said it will write a file which this one will write, too: the second would be paid for
 * and then conflict with the first. So would one that has conflicted there before. What a person has decided only has to land, and waits for nobody.
 */
export function findWriter({ tasks, active }: State, id: string): string | null {
  if (active.size === 0) return null;
  const task = tasks.get(id);
  if (!task || canGoWithoutAgent(task)) return null;
  const own = getWritten(task);
  if (own.length === 0) return null;
  for (const [other, attempt] of active) {
    if (other === id) continue;
    const writer = tasks.get(other);
    const seen = task.contested.length > 0 ? Object.keys(attempt.candidate?.lines ?? {}) : [];
    const theirs = [...(writer ? getWritten(writer) : []), ...seen];
    if (theirs.length > 0 && haveCommonPath(own, theirs)) return other;
  }
  return null;
}

/** As it says itself, and where it has been in somebody's way before. */
function getWritten({ def, contested }: TaskState): readonly string[] {
  return [...(def.outputs ?? []), ...contested];
}
