import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rejection } from '../model/facts.ts';
import { getContradictoryTests } from './retry.ts';

const own = (attempt: number, ...failing: string[]): Rejection => ({ attempt, kind: 'own', failing });
const older = (attempt: number, ...failing: string[]): Rejection => ({ attempt, kind: 'older', failing });

describe('getImpossible', () => {
  it('names two tests that fail in turn, before all attempts are used up', () => {
    const found = getContradictoryTests([own(1, 'x'), own(1, 'y'), own(2, 'x')], false);
    expect(found?.reason).toContain('x and y look contradictory');
    expect(found?.evidence).toEqual(['attempt 1: x failed', 'attempt 1: y failed', 'attempt 2: x failed']);
  });

  it('names an older test and the task’s own that exclude each other', () => {
    const found = getContradictoryTests([own(1, 't'), older(1, 'old'), own(2, 't')], false);
    expect(found?.reason).toContain('t and old look contradictory');
  });

  it('waits while it could still be bad luck', () => {
    expect(getContradictoryTests([own(1, 'x'), own(1, 'y')], false)).toBeNull();
    expect(getContradictoryTests([own(1, 'x'), own(1, 'x'), own(2, 'x')], false)).toBeNull();
    expect(getContradictoryTests([own(1, 'x', 'y'), own(1, 'y'), own(2, 'z')], false)).toBeNull();
  });

  it('is content with less once no attempt is left', () => {
    expect(getContradictoryTests([own(1, 'x'), own(2, 'y')], true)?.reason).toContain('contradictory');
    expect(getContradictoryTests([own(1, 'x', 'y'), own(2, 'x')], true)?.reason).toContain(
      'x failed in all 2 attempts',
    );
    expect(getContradictoryTests([older(1, 'old'), older(2, 'old')], true)?.reason).toContain(
      'old passed on the base and failed in all 2 attempts',
    );
  });

  it('says nothing of a single attempt, or of rejections that no test gave', () => {
    expect(getContradictoryTests([own(1, 'x')], true)).toBeNull();
    expect(getContradictoryTests([own(1), own(2)], true)).toBeNull();
    expect(getContradictoryTests([], true)).toBeNull();
  });

  it('never blames a pair of which both were seen passing at once', () => {
    const ids = ['a', 'b', 'c', 'd'];
    const rejection = fc.record({
      attempt: fc.integer({ min: 1, max: 3 }),
      kind: fc.constantFrom('own' as const, 'older' as const),
      failing: fc.subarray(ids, { minLength: 1 }),
    });
    fc.assert(
      fc.property(fc.array(rejection, { maxLength: 9 }), fc.boolean(), (rejections, isLast) => {
        const found = getContradictoryTests(rejections, isLast);
        const named = ids.filter(id =>
          new RegExp(`\\b${id}\\b(?= and|,| look| passed| failed)`).test(found?.reason ?? ''),
        );
        if (!found) return;
        expect(named.length).toBeGreaterThan(0);
        for (const { failing } of rejections) expect(failing.some(id => named.includes(id))).toBe(true);
      }),
    );
  });

  it('is silent as long as something new fails each time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 8 }), count => {
        const rejections = Array.from({ length: count + 1 }, (_, i) => own(i + 1, `t${i}`));
        expect(getContradictoryTests(rejections, count > 2)).toBeNull();
      }),
    );
  });
});
