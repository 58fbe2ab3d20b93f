import { expect, test } from 'vitest';
import { runPlans } from './run-campaign.ts';
import type { Plan } from './run-round.ts';
import { openWorkshop } from './workshop.ts';

/** One night per scene and kind of kill; `npm run chaos` has the rest. */
const NIGHTS: readonly Plan[] = [
  { scene: 'clean', kills: ['agent.run:during#2', 'git.update-ref:torn#2', 'store.append:after#3'] },
  {
    scene: 'dirty',
    kills: ['workspace.land:after#1', 'workspace.recover:before#1', 'fs.rename@state:before#2'],
  },
  { scene: 'moving', kills: ['git.read-tree:orphan#1', '@150'] },
  { scene: 'away', kills: ['tests.run:during#1', '@@250'] },
];

const LONG_MS = 240_000;

test(
  'killed at failpoints, with its git and from outside, the harness loses, doubles and wedges nothing',
  async () => {
    const shop = await openWorkshop({});
    const red: string[] = [];
    const result = await runPlans(shop, NIGHTS, report =>
      red.push(...report.violations.map(({ text }) => text)),
    );
    shop.close();
    expect(red).toEqual([]);
    expect(result).toEqual({ kills: 10, lost: 0, doubled: 0, wedged: 0 });
  },
  LONG_MS,
);

test(
  'without a safeguard the same nights end badly',
  async () => {
    const shop = await openWorkshop({ breakage: 'lock-cleanup' });
    const result = await runPlans(shop, [{ scene: 'dirty', kills: ['git.update-ref:torn#1'] }]);
    shop.close();
    expect(result.lost + result.doubled + result.wedged).toBeGreaterThan(0);
  },
  LONG_MS,
);
