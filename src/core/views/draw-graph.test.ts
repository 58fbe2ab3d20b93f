import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawGraph } from './draw-graph.ts';

const tasks = [
  { id: '1', title: 'First', dependsOn: [] },
  { id: '3', title: 'Third', dependsOn: ['1', '2'] },
  { id: '2', title: 'Second', dependsOn: ['1'] },
];

it('what waits stands below what it waits for', () => {
  expect(drawGraph(tasks).split('\n')).toEqual([
    '  ● 1  First',
    '  │',
    '  └─ 2  Second  ← 1',
    '  │',
    '  └─ 3  Third  ← 1, 2',
  ]);
});

it('a task that builds on one from elsewhere can start at once', () => {
  expect(drawGraph([{ id: '4', title: 'New', dependsOn: ['1'] }])).toBe('  ● 4  New  ← 1');
});

it('every task is drawn once, and no line is wider than asked', () => {
  const graph = fc.array(fc.tuple(fc.string(), fc.array(fc.nat(15))), { maxLength: 15 });
  fc.assert(
    fc.property(graph, fc.integer({ min: 40, max: 100 }), (all, width) => {
      const drawn = drawGraph(
        all.map(([title, deps], i) => ({
          id: `t${i}`,
          title,
          dependsOn: deps.filter(n => n < i).map(n => `t${n}`),
        })),
        width,
      );
      const lines = drawn === '' ? [] : drawn.split('\n');
      expect(lines.filter(line => /[●├└]/.test(line.slice(0, 4)))).toHaveLength(all.length);
      expect(Math.max(0, ...lines.map(line => [...line].length))).toBeLessThanOrEqual(width);
    }),
  );
});
