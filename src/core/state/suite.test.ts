import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Observation } from '../model/facts.ts';
import {
  addToQuarantine,
  isFlaky,
  isQuarantined,
  judgeLost,
  observeBaseline,
  type Quarantine,
  STABLE_RUNS,
} from './suite.ts';

function see(outcomes: string, tree = 'T', command = 'all'): Observation[] {
  const words = { p: 'passed', f: 'failed', g: 'gone', e: 'error', s: 'skipped' } as const;
  return [...outcomes].map((letter, atMs) => ({
    ...{ tree, command, atMs },
    outcome: words[letter as keyof typeof words],
  }));
}

const outcomes = fc.stringMatching(/^[pfges]{1,6}$/);

describe('a flaky test', () => {
  it.each<[string, Observation[], boolean]>([
    ['yes and no to the same question', see('pf'), true],
    ['no and yes', see('fp'), true],
    ['yes, then gone', see('pg'), true],
    ['always yes', see('ppp'), false],
    ['always no, in different ways', see('fegs'), false],
    ['other bytes', [...see('p', 'A'), ...see('f', 'B')], false],
    ['another command', [...see('p', 'T', 'alone'), ...see('f', 'T', 'all')], false],
    ['nothing at all', [], false],
  ])('is one that says %s', (_, seen, expected) => {
    expect(isFlaky(seen)).toBe(expected);
  });

  it('is flaky in whatever order it was seen', () => {
    fc.assert(
      fc.property(outcomes, fc.infiniteStream(fc.nat()), (letters, chance) => {
        const seen = see(letters);
        const mixed = [...seen]
          .map(one => ({ one, at: chance.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ one }) => one);
        expect(isFlaky(mixed)).toBe(isFlaky(seen));
        expect(isFlaky(seen)).toBe(letters.includes('p') && /[^p]/.test(letters));
      }),
    );
  });
});

describe('a test that passed on the base and not with the change', () => {
  it.each<[string, string, string, boolean, ReturnType<typeof judgeLost>]>([
    ['steady on both sides is a regression', 'fff', 'ppp', true, 'regression'],
    ['steady on both sides is a regression, wherever the change is', 'ff', 'pp', false, 'regression'],
    ['unsteady on the base is flaky', 'fff', 'pfp', true, 'flaky'],
    ['unsteady on both is flaky', 'fp', 'pf', true, 'flaky'],
    ['unsteady only with a change that it uses was made so', 'fp', 'pppp', true, 'made-flaky'],
    ['unsteady and far from the change is flaky', 'fp', 'pppp', false, 'flaky'],
  ])('%s', (_, candidate, base, isTouched, word) => {
    expect(judgeLost({ candidate: see(candidate, 'C'), base: see(base, 'B') }, isTouched)).toBe(word);
  });

  it('is never excused while it never passed with the change and never failed without', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[fge]{1,6}$/), fc.nat(6), fc.boolean(), (red, green, isTouched) => {
        const seen = { candidate: see(red, 'C'), base: see('p'.repeat(green), 'B') };
        expect(judgeLost(seen, isTouched)).toBe('regression');
      }),
    );
  });
});

describe('the quarantine', () => {
  const flaky = { id: 'a', evidence: see('pf') };
  const open = (): Quarantine => {
    const quarantine: Quarantine = new Map();
    addToQuarantine(quarantine, flaky, 100);
    return quarantine;
  };
  const run = (quarantine: Quarantine, outcome: 'passed' | 'failed' | 'gone', atMs = 200) =>
    observeBaseline(
      quarantine,
      { passing: outcome === 'passed' ? ['a'] : [], failing: outcome === 'failed' ? ['a'] : [] },
      atMs,
    );

  it('lets a test go after enough full runs that agree, and keeps the evidence', () => {
    const quarantine = open();
    for (let i = 1; i < STABLE_RUNS; i++) run(quarantine, 'passed');
    expect(isQuarantined(quarantine, 'a')).toBe(true);
    run(quarantine, 'passed', 300);
    expect(isQuarantined(quarantine, 'a')).toBe(false);
    expect(quarantine.get('a')).toMatchObject({ releasedAtMs: 300, evidence: flaky.evidence });
  });

  it('takes it back when it is flaky again', () => {
    const quarantine = open();
    for (let i = 0; i < STABLE_RUNS; i++) run(quarantine, 'failed');
    addToQuarantine(quarantine, { id: 'a', evidence: see('fp') }, 400);
    expect(isQuarantined(quarantine, 'a')).toBe(true);
    expect(quarantine.get('a')).toMatchObject({ sinceMs: 400, stableRuns: 0 });
    expect(quarantine.get('a')?.evidence).toHaveLength(4);
  });

  it('holds a test for as long as no such row of runs has been seen', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('passed', 'failed', 'gone'), { maxLength: 60 }), runs => {
        const quarantine = open();
        for (const outcome of runs) run(quarantine, outcome);
        const seen = runs.filter(outcome => outcome !== 'gone').map(outcome => outcome[0]);
        const wasSteady = new RegExp(`p{${STABLE_RUNS}}|f{${STABLE_RUNS}}`).test(seen.join(''));
        expect(isQuarantined(quarantine, 'a')).toBe(!wasSteady);
      }),
    );
  });

  it('knows nothing of tests that were never flaky', () => {
    const quarantine = open();
    observeBaseline(quarantine, { passing: ['b'], failing: ['c'] }, 200);
    expect([isQuarantined(quarantine, 'b'), quarantine.size]).toEqual([false, 1]);
  });
});
