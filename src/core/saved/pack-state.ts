import type { State } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';
import { PART_ROWS } from './closed-rows.ts';
import { LazyTasks } from './lazy-tasks.ts';
import { REST_SHAPE, TASK_SHAPE, toPlain } from './plain.ts';
import type { ClosedPart, ClosedRow, OpenRow, SavedHead } from './saved-head.ts';

/** Yields the text of each part, to be told its name; the state stays as it is meanwhile. */
export type Packing = Generator<string, SavedHead, string>;

interface Packed extends Pick<SavedHead, 'fold' | 'mark'> {
  /** Of the state as it was saved or read last: those without a change need not be written again. */
  readonly parts: readonly ClosedPart[];
  /** Tasks in a part, as far as that is not the usual. */
  readonly rows?: number;
}

/** Writes a state down, piece by piece. */
export function* packState(state: State, { fold, mark, parts, rows = PART_ROWS }: Packed): Packing {
  const places = new Map([...state.tasks.keys()].map((id, place) => [id, place]));
  const closed: ClosedPart[] = [];
  const kept = new Set<string>();
  for (const part of parts) {
    // A small one goes into a greater one as soon as there is more to write.
    if (part.ids.length < rows / 2 || part.ids.some(id => state.open.has(id))) continue;
    closed.push(yield* packClosed(state, part.ids, places, part.name));
    for (const id of part.ids) kept.add(id);
  }
  let ids: string[] = [];
  for (const id of places.keys()) {
    if (!kept.has(id) && !state.open.has(id)) ids.push(id);
    if (ids.length < rows) continue;
    closed.push(yield* packClosed(state, ids, places, null));
    ids = [];
  }
  if (ids.length > 0) closed.push(yield* packClosed(state, ids, places, null));
  const open = yield* packOpen(state, places);
  const { tasks, open: _, dependents, ready, ...others } = state;
  const missing = [...dependents.keys()].filter(id => !tasks.has(id));
  return {
    ...{ fold, mark, seq: state.seq, closed, open },
    rest: toPlain(others, REST_SHAPE),
    missing: missing.map(id => [id, [...(dependents.get(id) ?? [])]]),
  };
}

/** A part that nobody has looked into is what it was. */
function* packClosed(
  { tasks, dependents }: State,
  ids: readonly string[],
  places: ReadonlyMap<string, number>,
  name: string | null,
): Generator<string, ClosedPart, string> {
  const isUnread = (id: string) => tasks instanceof LazyTasks && tasks.isUnread(id);
  const needed = ids.flatMap((id, row) => (dependents.has(id) ? row : []));
  const part = { ids, places: ids.map(id => places.get(id) ?? 0), needed };
  if (name !== null && ids.every(isUnread)) return { ...part, name };
  const getLine = (id: string): string => {
    if (tasks instanceof LazyTasks && isUnread(id)) return tasks.getLine(id);
    return JSON.stringify(getRow(tasks.get(id) as TaskState, dependents.get(id)));
  };
  return { ...part, name: yield ids.map(getLine).join('\n') };
}

function* packOpen(
  { open, ready, dependents }: State,
  places: ReadonlyMap<string, number>,
): Generator<string, string[], string> {
  const names: string[] = [];
  let lines: string[] = [];
  for (const [id, task] of open) {
    const row: OpenRow = [...getRow(task, dependents.get(id)), places.get(id) ?? 0, ready.rankOf(id)];
    lines.push(JSON.stringify(row));
    if (lines.length < PART_ROWS) continue;
    names.push(yield lines.join('\n'));
    lines = [];
  }
  if (lines.length > 0) names.push(yield lines.join('\n'));
  return names;
}

function getRow(task: TaskState, dependents: ReadonlySet<string> | undefined): ClosedRow {
  return [toPlain(task, TASK_SHAPE), dependents ? [...dependents] : null];
}
