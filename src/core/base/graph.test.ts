import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findCycles,
  findMissingDependencies,
  type GraphTask,
  getBlockedBy,
  getDependents,
  getTopologicalOrder,
} from './graph.ts';

const task = (id: string, ...dependsOn: string[]): GraphTask => ({ id, dependsOn });

const graphs = fc
  .uniqueArray(fc.constantFrom(...'abcdefgh'), { minLength: 1 })
  .chain(ids =>
    fc.tuple(
      ...ids.map(id =>
        fc.array(fc.constantFrom(...'abcdefghx'), { maxLength: 3 }).map(dependsOn => ({ id, dependsOn })),
      ),
    ),
  ) as fc.Arbitrary<GraphTask[]>;

/** Everything reachable from a task by at least one step, the slow and obvious way. */
function getReachable(tasks: readonly GraphTask[], from: string): Set<string> {
  const reached = new Set<string>();
  for (let before = -1; before !== reached.size; ) {
    before = reached.size;
    for (const { id, dependsOn } of tasks) {
      if (id !== from && !reached.has(id)) continue;
      for (const dependency of dependsOn) reached.add(dependency);
    }
  }
  return reached;
}

describe('findCycles', () => {
  it.each([
    ['a chain has none', [task('a'), task('b', 'a'), task('c', 'b')], []],
    ['two tasks', [task('a', 'b'), task('b', 'a')], [['a', 'b', 'a']]],
    ['a task that waits for itself', [task('a', 'a')], [['a', 'a']]],
    [
      'the whole round is named in order',
      [task('1', '3'), task('2', '1'), task('3', '2'), task('4', '3')],
      [['1', '3', '2', '1']],
    ],
    [
      'two separate rounds are both named',
      [task('a', 'b'), task('b', 'a'), task('c', 'd'), task('d', 'c')],
      [
        ['a', 'b', 'a'],
        ['c', 'd', 'c'],
      ],
    ],
    ['a missing dependency is no cycle', [task('a', 'nowhere')], []],
  ])('%s', (_, tasks, cycles) => {
    expect(findCycles(tasks)).toEqual(cycles);
  });

  it('names only real cycles, one for each knot and each self-dependency', () => {
    fc.assert(
      fc.property(graphs, tasks => {
        const edges = new Map(tasks.map(t => [t.id, t.dependsOn]));
        const cycles = findCycles(tasks);
        for (const cycle of cycles) {
          expect(cycle.at(-1)).toBe(cycle[0]);
          expect(new Set(cycle).size).toBe(cycle.length - 1);
          for (let i = 1; i < cycle.length; i++) {
            expect(edges.get(cycle[i - 1] as string)).toContain(cycle[i]);
          }
        }
        const selves = tasks.filter(t => t.dependsOn.includes(t.id)).map(t => t.id);
        expect(cycles.filter(c => c.length === 2).map(c => c[0])).toEqual(selves);
        const components = new Set<string>();
        for (const { id } of tasks) {
          const mates = [...getReachable(tasks, id)].filter(o => o !== id && getReachable(tasks, o).has(id));
          if (mates.length > 0) components.add([id, ...mates].sort().join());
        }
        expect(cycles.filter(c => c.length > 2)).toHaveLength(components.size);
      }),
    );
  });

  it('survives a chain of 10,000 tasks, and a round of as many', () => {
    const chain = Array.from({ length: 10_000 }, (_, i) => task(`${i}`, `${i + 1}`));
    expect(findCycles(chain)).toEqual([]);
    const round = [...chain, task('10000', '0')];
    expect(findCycles(round)[0]).toHaveLength(10_002);
    expect(getTopologicalOrder([...chain, task('10000')])).toHaveLength(10_001);
  });
});

describe('the other questions', () => {
  it('finds dependencies that name no task, once each', () => {
    const tasks = [task('a', 'b', 'gone', 'gone'), task('b')];
    expect(findMissingDependencies(tasks)).toEqual([{ id: 'a', missing: 'gone' }]);
  });

  it('turns the edges round', () => {
    const dependents = getDependents([task('a'), task('b', 'a', 'a'), task('c', 'a', 'b')]);
    expect([...dependents]).toEqual([
      ['a', ['b', 'c']],
      ['b', ['c']],
      ['c', []],
    ]);
  });

  it('names the nearest dead task as the cause', () => {
    const tasks = [task('a'), task('b', 'a'), task('c', 'b'), task('d', 'c'), task('e')];
    expect([...getBlockedBy(tasks, ['a', 'c'])]).toEqual([
      ['b', 'a'],
      ['d', 'c'],
    ]);
  });

  it('blocks exactly what can reach a dead task', () => {
    fc.assert(
      fc.property(graphs, fc.subarray([...'abcdefgh']), (tasks, dead) => {
        const alive = tasks.filter(t => !dead.includes(t.id));
        const expected = alive.filter(t =>
          dead.some(d => tasks.some(o => o.id === d) && getReachable(tasks, t.id).has(d)),
        );
        const known = dead.filter(d => tasks.some(t => t.id === d));
        expect([...getBlockedBy(tasks, known).keys()].sort()).toEqual(expected.map(t => t.id).sort());
      }),
    );
  });

  it('orders dependencies first and leaves out what waits for a cycle', () => {
    fc.assert(
      fc.property(graphs, tasks => {
        const order = getTopologicalOrder(tasks);
        for (const { id, dependsOn } of tasks) {
          for (const dependency of dependsOn) {
            if (!order.includes(id) || !order.includes(dependency)) continue;
            expect(order.indexOf(dependency)).toBeLessThan(order.indexOf(id));
          }
          const isRound = (o: string) => getReachable(tasks, o).has(o);
          const isStuck = isRound(id) || [...getReachable(tasks, id)].some(isRound);
          expect(order.includes(id)).toBe(!isStuck);
        }
      }),
    );
  });
});
