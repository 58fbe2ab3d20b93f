/** The part of a task that makes it a node: the graph knows nothing else of it. */
export interface GraphTask {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

/**
 * One cycle for each component of tasks that wait for each other, as `[a, b, a]`, and one for each task
 * that waits for itself. Linear time and no recursion: naming every cycle of a component could take for ever.
 */
export function findCycles(tasks: readonly GraphTask[]): readonly (readonly string[])[] {
  const byId = new Map(tasks.map(task => [task.id, task]));
  const cycles: string[][] = [];
  for (const task of byId.values()) {
    if (task.dependsOn.includes(task.id)) cycles.push([task.id, task.id]);
  }
  for (const component of getComponents(byId)) {
    if (component.length > 1) cycles.push(getCycleThrough(component[0] as string, new Set(component), byId));
  }
  return cycles;
}

/** Dependencies that name no task, so that a typing error is not taken for a task never done. */
export function findMissingDependencies(
  tasks: readonly GraphTask[],
): readonly { readonly id: string; readonly missing: string }[] {
  const known = new Set(tasks.map(task => task.id));
  return tasks.flatMap(({ id, dependsOn }) =>
    [...new Set(dependsOn)].filter(other => !known.has(other)).map(missing => ({ id, missing })),
  );
}

/** All that a task waits for, near and far. */
export function getReach(tasks: readonly GraphTask[]): (id: string) => ReadonlySet<string> {
  const byId = new Map(tasks.map(task => [task.id, task]));
  const known = new Map<string, ReadonlySet<string>>();
  return id => {
    const before = known.get(id);
    if (before) return before;
    const reached = new Set<string>();
    const queue = [...(byId.get(id)?.dependsOn ?? [])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      queue.push(...(byId.get(next)?.dependsOn ?? []));
    }
    known.set(id, reached);
    return reached;
  };
}

/** The edges the other way round: who waits for a task. */
export function getDependents(tasks: readonly GraphTask[]): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>(tasks.map(task => [task.id, []]));
  for (const { id, dependsOn } of tasks) {
    for (const dependency of new Set(dependsOn)) dependents.get(dependency)?.push(id);
  }
  return dependents;
}

/** Every task that cannot go on because of a dead one, with the nearest dead task it waits for. */
export function getBlockedBy(
  tasks: readonly GraphTask[],
  deadIds: Iterable<string>,
): ReadonlyMap<string, string> {
  const dependents = getDependents(tasks);
  const dead = new Set(deadIds);
  const blockedBy = new Map<string, string>();
  const queue = [...dead];
  for (let next = 0; next < queue.length; next++) {
    const id = queue[next] as string;
    for (const dependent of dependents.get(id) ?? []) {
      if (dead.has(dependent) || blockedBy.has(dependent)) continue;
      blockedBy.set(dependent, blockedBy.get(id) ?? id);
      queue.push(dependent);
    }
  }
  return blockedBy;
}

/** Dependencies before dependents, otherwise as listed; what waits for a cycle has no place in it. */
export function getTopologicalOrder(tasks: readonly GraphTask[]): readonly string[] {
  const dependents = getDependents(tasks);
  const unmet = new Map<string, number>();
  for (const { id, dependsOn } of tasks) {
    unmet.set(id, [...new Set(dependsOn)].filter(other => dependents.has(other)).length);
  }
  const order = [...unmet.keys()].filter(id => unmet.get(id) === 0);
  for (let next = 0; next < order.length; next++) {
    for (const dependent of dependents.get(order[next] as string) ?? []) {
      const left = (unmet.get(dependent) as number) - 1;
      unmet.set(dependent, left);
      if (left === 0) order.push(dependent);
    }
  }
  return order;
}

interface Frame {
  readonly id: string;
  readonly edges: readonly string[];
  next: number;
}

/** Tarjan's strongly connected components, with a stack of its own; members in file order. */
function getComponents(byId: ReadonlyMap<string, GraphTask>): readonly (readonly string[])[] {
  const place = new Map([...byId.keys()].map((id, i) => [id, i]));
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open = new Set<string>();
  const trail: string[] = [];
  const components: string[][] = [];

  const enter = (id: string): Frame => {
    index.set(id, index.size);
    low.set(id, index.get(id) as number);
    trail.push(id);
    open.add(id);
    return { id, edges: byId.get(id)?.dependsOn ?? [], next: 0 };
  };
  const lower = (id: string, to: number) => low.set(id, Math.min(low.get(id) as number, to));

  for (const root of byId.keys()) {
    if (index.has(root)) continue;
    const frames = [enter(root)];
    for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
      const edge = frame.edges[frame.next++];
      if (edge !== undefined) {
        if (!byId.has(edge)) continue;
        if (!index.has(edge)) frames.push(enter(edge));
        else if (open.has(edge)) lower(frame.id, index.get(edge) as number);
        continue;
      }
      frames.pop();
      const parent = frames.at(-1);
      if (parent) lower(parent.id, low.get(frame.id) as number);
      if (low.get(frame.id) === index.get(frame.id)) components.push(closeComponent(frame.id, trail, open));
    }
  }
  const byPlace = (a: string, b: string) => (place.get(a) as number) - (place.get(b) as number);
  for (const component of components) component.sort(byPlace);
  return components.sort((a, b) => byPlace(a[0] as string, b[0] as string));
}

function closeComponent(root: string, trail: string[], open: Set<string>): string[] {
  const component = trail.splice(trail.lastIndexOf(root));
  for (const id of component) open.delete(id);
  return component;
}

/** The shortest way from a task of a component back to itself. */
function getCycleThrough(
  start: string,
  component: Set<string>,
  byId: ReadonlyMap<string, GraphTask>,
): string[] {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (let next = 0; next < queue.length; next++) {
    const id = queue[next] as string;
    for (const edge of byId.get(id)?.dependsOn ?? []) {
      if (edge === start && id !== start) return getPath(start, id, cameFrom);
      if (edge === start || !component.has(edge) || cameFrom.has(edge)) continue;
      cameFrom.set(edge, id);
      queue.push(edge);
    }
  }
  return [start, start];
}

function getPath(start: string, end: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path = [start];
  for (let id: string | undefined = end; id !== undefined && id !== start; id = cameFrom.get(id))
    path.push(id);
  path.push(start);
  return path.reverse();
}
