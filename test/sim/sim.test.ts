import { describe, expect, it } from 'vitest';
import { BREAKAGES, type Breakage } from './breakages.ts';
import { runSeed } from './run-seed.ts';

describe('the simulator', () => {
  it('finds nothing wrong in 150 bad nights', async () => {
    let kills = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const night = await runSeed(seed);
      expect(night.violations, `npm run sim -- --seed ${seed}`).toEqual([]);
      kills += night.kills;
    }
    expect(kills).toBeGreaterThan(500);
  }, 240_000);

  // The rarest, landings that nobody sees, show in one night of 90.
  it.each(Object.entries(BREAKAGES))(
    'sees it when %s is broken, and says what is wrong',
    async (breakage, words) => {
      let isSaid = false;
      for (let seed = 2_600; seed <= 4_600 && !isSaid; seed++) {
        const { violations } = await runSeed(seed, breakage as Breakage);
        isSaid = violations.some(violation => words.test(violation));
      }
      expect(isSaid).toBe(true);
    },
    240_000,
  );

  it('plays the same night again from the same seed', async () => {
    for (const seed of [3, 17, 64]) {
      const [first, second] = [await runSeed(seed), await runSeed(seed)];
      expect(first.trace.length).toBeGreaterThan(10);
      expect(second).toEqual(first);
    }
  });

  it('plays another night from another seed', async () => {
    expect((await runSeed(1)).trace).not.toEqual((await runSeed(2)).trace);
  });
});
