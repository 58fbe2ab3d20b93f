import { createState, type State } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';
import { ClosedRows } from './closed-rows.ts';
import { LazyMap } from './lazy-map.ts';
import { LazyTasks } from './lazy-tasks.ts';
import { fromPlain, REST_SHAPE, type RestOfState, TASK_SHAPE } from './plain.ts';
import type { OpenRow, SavedHead } from './saved-head.ts';

/** Every part that a state is made of. */
export function getPartNames({ closed, open }: Pick<SavedHead, 'closed' | 'open'>): string[] {
  return [...closed.map(({ name }) => name), ...open];
}

/** The state as it was saved; yields where others may have their turn. What does not fit together throws. */
export function* unpackState(
  head: SavedHead,
  bodies: ReadonlyMap<string, () => Uint8Array>,
): Generator<null, State> {
  const getBody = (name: string): (() => Uint8Array) => {
    const body = bodies.get(name);
    if (!body) throw new Error(`part ${name} of a saved state is not there`);
    return body;
  };
  const rows = new ClosedRows(head.closed.map(({ name }) => getBody(name)));
  const tasks = new LazyTasks(rows);
  const dependents = new LazyMap<Set<string>>(number => rows.read(number).dependents ?? new Set());
  const { ready, open } = createState();
  const inOrder: (number | TaskState)[] = [];
  const ids: string[] = [];
  head.closed.forEach((part, at) => {
    part.ids.forEach((id, row) => {
      const place = part.places[row] as number;
      ids[place] = id;
      inOrder[place] = ClosedRows.getNumber(at, row);
    });
    for (const row of part.needed) dependents.defer(part.ids[row] as string, ClosedRows.getNumber(at, row));
  });
  yield null;
  for (const name of head.open) {
    for (const line of new TextDecoder().decode(getBody(name)()).split('\n')) {
      const [plain, behind, place, rank] = JSON.parse(line) as OpenRow;
      const task = fromPlain<TaskState>(plain, TASK_SHAPE);
      const { id } = task.def;
      ids[place] = id;
      inOrder[place] = task;
      open.set(id, task);
      ready.set(id, rank);
      if (behind) dependents.set(id, new Set(behind));
    }
    yield null;
  }
  inOrder.forEach((known, place) => {
    const id = ids[place] as string;
    if (typeof known === 'number') tasks.defer(id, known);
    else tasks.set(id, known);
  });
  for (const [id, behind] of head.missing) dependents.set(id, new Set(behind));
  return { ...fromPlain<RestOfState>(head.rest, REST_SHAPE), tasks, open, dependents, ready };
}
