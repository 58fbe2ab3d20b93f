import type { TaskDef } from '../model/task.ts';
import { getSlug, type Requirement } from './requirements.ts';

/**
 * How a task stands. `proven`: its proof is sound, in the history of the tip, and nobody has changed what it rests on.
 * `by-word`: it counts as done because a person said so. `broken`: its proof does not hold, or is not here. `reopened`:
 * a later change broke it. `awaits-person`: done as far as machines can tell. `left-out`: a person does without it.
 */
export type Standing = 'proven' | 'by-word' | 'broken' | 'reopened' | 'awaits-person' | 'left-out' | 'open';

/** A task with all that a gate has to know of it. */
export interface TracedTask extends Pick<TaskDef, 'id' | 'title' | 'verificationSteps' | 'tags'> {
  readonly standing: Standing;
  /** The commit that landed it, and the hash of its proof. */
  readonly commit: string | null;
  readonly proof: string | null;
}

/** The tasks that are there for a requirement: by its tag, by its own word, or because they say the very same. */
export function getTracedTo<T extends TracedTask>(
  { id, text, plans }: Requirement,
  tasks: readonly T[],
): readonly T[] {
  const words = getSlug(text);
  return tasks.filter(
    task =>
      task.tags?.includes(id) ||
      plans.some(plan => plan === task.id || plan.startsWith(`${task.id}-`)) ||
      (words !== '' && [task.title, ...task.verificationSteps].some(line => getSlug(line) === words)),
  );
}
