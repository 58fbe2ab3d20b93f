import type { State } from '../../src/core/state/state.ts';

/** A state as plain data: everything that two equal states must have in common. */
export function toData(state: State): unknown {
  // Nothing asks for the order of these.
  const dependents = [...state.dependents].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.parse(
    JSON.stringify({ ...state, ready: getQueue(state), dependents }, (_, value: unknown) =>
      value instanceof Map ? [...value] : value instanceof Set ? [...value].sort() : value,
    ),
  );
}

/** Ready tasks in the order in which they would be taken. */
export function getQueue(state: State): string[] {
  const taken = new Set<string>();
  for (let next = state.ready.peek(); next !== null; next = state.ready.peek(id => taken.has(id)))
    taken.add(next);
  return [...taken];
}
