import { compareIds } from '../model/task.ts';
import type { TracedTask } from './trace.ts';

interface Looks {
  readonly flaky: readonly string[];
  /** Red tests of the last look at everything. */
  readonly broken: readonly string[];
  /** Red tests that a person lives with. */
  readonly tolerated: readonly string[];
}

/** What is not in order and stands in no criterion's way: to be known by whoever releases. */
export function getKnownIssues(
  tasks: readonly TracedTask[],
  inCriteria: ReadonlySet<string>,
  { flaky, broken, tolerated }: Looks,
): readonly string[] {
  const others = tasks
    .filter(({ id, standing }) => standing !== 'proven' && !inCriteria.has(id))
    .toSorted((a, b) => compareIds(a.id, b.id));
  return [
    ...others.map(({ id, title, standing }) => `task ${id} (${standing}): ${title}`),
    ...flaky.map(id => `flaky: ${id}`),
    ...broken.map(id => `red: ${id}`),
    ...tolerated.map(id => `red, and lived with: ${id}`),
  ];
}
