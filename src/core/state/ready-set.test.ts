import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReadySet } from './ready-set.ts';

/** Everything in the queue, in order, by asking for the next one again and again. */
function drain(ready: ReadySet): string[] {
  const taken = new Set<string>();
  for (let next = ready.peek(); next !== null; next = ready.peek(id => taken.has(id))) taken.add(next);
  return [...taken];
}

const operations = fc.array(
  fc.record({
    id: fc.constantFrom(...'abcdefgh'),
    rank: fc.option(fc.integer({ min: 0, max: 5 }).map(String)),
  }),
  { maxLength: 60 },
);

describe('ReadySet', () => {
  it('gives back what a sorted list would, after any additions, moves and removals', () => {
    fc.assert(
      fc.property(operations, list => {
        const ready = new ReadySet();
        const naive = new Map<string, string>();
        for (const { id, rank } of list) {
          ready.set(id, rank);
          if (rank === null) naive.delete(id);
          else naive.set(id, rank);
          expect(ready.size).toBe(naive.size);
          expect(ready.rankOf(id)).toBe(rank);
        }
        const sorted = [...naive].sort(([a, ra], [b, rb]) => (ra + a < rb + b ? -1 : 1)).map(([id]) => id);
        expect(drain(ready)).toEqual(sorted);
        expect(ready.peek()).toBe(sorted[0] ?? null);
      }),
    );
  });

  it('loses nobody that was passed over', () => {
    const ready = new ReadySet();
    for (const id of 'dbac') ready.set(id, id);
    expect(ready.peek(id => id < 'c')).toBe('c');
    expect(ready.peek(() => true)).toBeNull();
    expect(drain(ready)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('looks at one entry to name the next of 10,000', () => {
    const ready = new ReadySet();
    for (let i = 0; i < 10_000; i++) ready.set(`t${i}`, String((i * 7_919) % 10_000).padStart(5, '0'));
    let asked = 0;
    const next = ready.peek(() => {
      asked++;
      return false;
    });
    expect(next).toBe('t0');
    expect(asked).toBe(1);
  });
});
