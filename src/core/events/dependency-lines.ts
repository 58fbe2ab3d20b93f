import { findCycles } from '../base/graph.ts';
import type { State } from '../state/state.ts';
import { isBlockedByDependency } from '../state/task-state.ts';

/** Lines for grep about everything that waits for a task that will not land without a person. */
export function getBlockedLines({ tasks, dependents }: State, id: string): string[] {
  const status = tasks.get(id)?.status;
  if (status !== 'failed' && status !== 'blocked') return [];
  const lines: string[] = [];
  const seen = new Set([id]);
  for (const next of seen) {
    const what = tasks.get(next)?.status === 'failed' ? `failed ${next}` : next;
    for (const dependent of dependents.get(next) ?? []) {
      const task = tasks.get(dependent);
      if (!task || seen.has(dependent) || !isBlockedByDependency(task)) continue;
      seen.add(dependent);
      lines.push(`ERROR [${dependent}] [DEPENDENCY] Blocked by ${what}`);
    }
  }
  return lines;
}

/** The same about tasks that wait for each other, one line for each of them. */
export function getCycleLines({ tasks }: State, ids: readonly string[]): string[] {
  const defs = ids.flatMap(id => tasks.get(id)?.def ?? []);
  return findCycles(defs).flatMap(cycle =>
    [...new Set(cycle)].map(
      id => `ERROR [${id}] [DEPENDENCY] Circular dependency detected: ${cycle.join(' -> ')}`,
    ),
  );
}
