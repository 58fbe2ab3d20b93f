import { expect, test } from 'vitest';
import { KINDS } from './judge.ts';
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
  {
    scene: 'beside',
    kills: ['fs.link@index-lock:after#1', 'git.update-ref:torn#1', 'fs.rm@intents:before#1'],
  },
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
    await shop.close();
    expect(red).toEqual([]);
    expect(result.kills).toBe(13);
  },
  LONG_MS,
);

/** In the middle of a batch: begun, adopted, proven, on the branch and not recorded. */
const BATCHES: readonly Plan[] = [
  {
    scene: 'lanes',
    kills: [
      'store.append@batch.started:after#1',
      'store.append@batch.taken-over:after#1',
      'store.append@batch.proven:after#1',
      'workspace.land:after#1',
    ],
  },
];

test(
  'killed in the middle of a batch it loses and doubles nothing, and the next run lands it',
  async () => {
    const shop = await openWorkshop({});
    const red: string[] = [];
    const result = await runPlans(shop, BATCHES, report =>
      red.push(...report.violations.map(({ text }) => text)),
    );
    await shop.close();
    expect(red).toEqual([]);
    expect(result.kills).toBe(4);
  },
  LONG_MS,
);

/** Between a statement or a push and its answer: with a lease just taken, and twice with a batch just landed. */
const SHARED: readonly Plan[] = [
  {
    scene: 'remote',
    kills: ['pg.append@attempt.started:sent#2', 'git.push@base:sent#1', 'cut:git.push@base:after#1'],
  },
];

test(
  'killed and cut off from its database and its remote it loses and doubles nothing, and moves nothing of the clone',
  async () => {
    const shop = await openWorkshop({});
    const red: string[] = [];
    const result = await runPlans(shop, SHARED, report =>
      red.push(...report.violations.map(({ text }) => text)),
    );
    await shop.close();
    expect(red).toEqual([]);
    expect(result).toMatchObject({ kills: 2, cut: 1 });
  },
  LONG_MS,
);

/** What a kill is not: the cache is cleared, the disk is full, the clock jumps. */
const HARMED: readonly Plan[] = [
  { scene: 'clean', kills: ['lose@0:agent.run:after#2'] },
  { scene: 'away', kills: ['lose@0:workspace.land:before#1'] },
  { scene: 'clean', kills: ['fill@8:workspace.land:before#1', 'fill@40:fs.link@index-lock:after#1'] },
  { scene: 'away', kills: ['step@600:workspace.compose:before#1', 'sleep@3600:tests.run:during#1'] },
];

test(
  'with its cache lost, its disk full and its clock put forward it comes to rest, and nothing of the user’s is touched',
  async () => {
    const shop = await openWorkshop({});
    const red: string[] = [];
    const result = await runPlans(shop, HARMED, report =>
      red.push(...report.violations.map(({ text }) => text)),
    );
    await shop.close();
    expect(red).toEqual([]);
    expect(result).toMatchObject({ lose: 2, fill: 2, step: 1 });
  },
  LONG_MS,
);

test(
  'without a safeguard the same nights end badly',
  async () => {
    const shop = await openWorkshop({ breakage: 'lock-cleanup' });
    const result = await runPlans(shop, [{ scene: 'dirty', kills: ['git.update-ref:torn#1'] }]);
    await shop.close();
    expect(KINDS.reduce((sum, kind) => sum + result[kind], 0)).toBeGreaterThan(0);
  },
  LONG_MS,
);
