import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as RegressionSet from '../../src/checks/tests/regression-set.ts';
import type * as FindRegressions from '../../src/testruns/find-regressions.ts';
import { playLandedNight } from './landed-night.ts';

const unwired = vi.hoisted(() => ({ set: false, look: false }));

vi.mock('../../src/checks/tests/regression-set.ts', async original => {
  const real = await original<typeof RegressionSet>();
  const nothing = { tasks: 0, findings: [], hidden: [], failing: [], commands: [], timedOut: [], left: 0 };
  const holdLanded: typeof real.holdLanded = async ctx => (unwired.set ? nothing : real.holdLanded(ctx));
  return { ...real, holdLanded };
});

vi.mock('../../src/testruns/find-regressions.ts', async original => {
  const real = await original<typeof FindRegressions>();
  const findRegressions: typeof real.findRegressions = async (...args) =>
    unwired.look ? { found: [], unfinished: [] } : real.findRegressions(...args);
  return { ...real, findRegressions };
});

async function play(seeds: number) {
  const total = { violations: [] as string[], landed: 0, broken: 0, reopened: 0 };
  for (let seed = 1; seed <= seeds; seed++) {
    const night = await playLandedNight(seed);
    total.violations.push(...night.violations.map(text => `seed ${seed}: ${text}`));
    total.landed += night.landed;
    total.broken += night.broken;
    total.reopened += night.reopened;
  }
  return total;
}

describe('what is proven stays proven', () => {
  afterEach(() => {
    unwired.set = false;
    unwired.look = false;
  });

  it('over random backlogs, whoever breaks it: no landed task has a proof that fails', async () => {
    const { violations, landed, broken, reopened } = await play(200);
    expect(violations).toEqual([]);
    expect(landed).toBeGreaterThan(400);
    expect(broken).toBeGreaterThan(80);
    expect(reopened).toBeGreaterThan(30);
  });

  it.each(['set', 'look'] as const)('and not without the %s', async part => {
    unwired[part] = true;
    expect((await play(100)).violations).not.toEqual([]);
  });
});
