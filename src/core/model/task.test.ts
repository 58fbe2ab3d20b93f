import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canMove, compareIds, getIdKey, type TaskStatus } from './task.ts';

const STATUSES: readonly TaskStatus[] = [
  'pending',
  'active',
  'retry',
  'landed',
  'failed',
  'blocked',
  'removed',
];

/** Written out once more by hand: each line is a decision, not a copy of the code. */
const LEGAL = new Set([
  'pending → active',
  'pending → retry',
  'pending → failed',
  'pending → blocked',
  'pending → landed',
  'pending → removed',
  'active → landed',
  'active → retry',
  'active → failed',
  'active → blocked',
  'retry → active',
  'retry → pending',
  'retry → failed',
  'retry → blocked',
  'retry → landed',
  'active → removed',
  'retry → removed',
  'landed → pending',
  'landed → removed',
  'failed → pending',
  'failed → blocked',
  'failed → landed',
  'failed → removed',
  'blocked → pending',
  'blocked → retry',
  'blocked → landed',
  'blocked → removed',
  'removed → pending',
  'removed → landed',
]);

const PAIRS = STATUSES.flatMap(from => STATUSES.map(to => [from, to] as const));

describe('canMove', () => {
  it.each(PAIRS)('%s → %s is as the table says', (from, to) => {
    expect(canMove(from, to)).toBe(LEGAL.has(`${from} → ${to}`));
  });

  it('lets nothing be worked on that has landed, failed, is blocked or gone', () => {
    for (const from of ['landed', 'failed', 'blocked', 'removed'] as const) {
      expect(canMove(from, 'active')).toBe(false);
    }
  });
});

const ids = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
  fc.nat().map(String),
  fc
    .tuple(fc.constantFrom('task-', 'a', ''), fc.nat(2_000), fc.constantFrom('', 'b', '.1'))
    .map(parts => parts.join('')),
);

describe('compareIds', () => {
  it.each([
    ['2', '10'],
    ['task-002', 'task-010'],
    ['task-9', 'task-010'],
    ['a2b10', 'a10b2'],
    ['1.9', '1.10'],
    ['9', 'a'],
    ['01', '1'],
  ])('%s comes before %s', (first, second) => {
    expect(compareIds(first, second)).toBeLessThan(0);
    expect(compareIds(second, first)).toBeGreaterThan(0);
  });

  it('agrees with the order of the keys, so that a database sorts as we do', () => {
    fc.assert(
      fc.property(ids, ids, (a, b) => {
        const [keyA, keyB] = [getIdKey(a), getIdKey(b)];
        if (keyA !== keyB) expect(Math.sign(compareIds(a, b))).toBe(keyA < keyB ? -1 : 1);
        expect(compareIds(a, b) === 0).toBe(a === b);
        expect(compareIds(a, b) + compareIds(b, a)).toBe(0);
      }),
    );
  });

  it('puts numbers in the order of numbers', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (a, b) => {
        expect(Math.sign(compareIds(String(a), String(b)))).toBe(Math.sign(a - b));
      }),
    );
  });

  it('is transitive', () => {
    fc.assert(
      fc.property(fc.array(ids, { maxLength: 12 }), list => {
        const sorted = [...list].sort(compareIds);
        for (let i = 1; i < sorted.length; i++)
          expect(compareIds(sorted[i - 1] ?? '', sorted[i] ?? '')).toBeLessThanOrEqual(0);
      }),
    );
  });
});
