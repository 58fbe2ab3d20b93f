import { BREAKAGES, type Breakage } from './breakages.ts';
import { KINDS } from './judge.ts';
import { runPlans } from './run-campaign.ts';
import type { Plan, Workshop } from './run-round.ts';
import { openWorkshop } from './workshop.ts';

/** For every safeguard, nights in which only it keeps things right. */
const NIGHTS: Readonly<Record<Breakage, readonly Plan[]>> = {
  'landing-recognition': [{ scene: 'away', kills: ['workspace.land:after#1'] }],
  'take-over': [{ scene: 'clean', kills: ['agent.run:during#1'] }],
  'lock-cleanup': [{ scene: 'dirty', kills: ['git.update-ref:torn#1'] }],
  'atomic-append': [{ scene: 'away', kills: ['store.append:half#2'] }],
  'compare-and-swap': [{ scene: 'moving', kills: ['workspace.snapshot:after#1'] }],
  reap: [{ scene: 'clean', kills: ['git.read-tree:orphan#1'] }],
  'push-first': [{ scene: 'remote', kills: ['workspace.land:late#1'] }],
  'known-answers': [{ scene: 'remote', kills: ['cut:pg.append@worker.started:after#1'] }],
  'lease-again': [{ scene: 'away', kills: ['step@600:workspace.compose:before#1'] }],
};

/** Takes each safeguard away and expects red; a suite that stays green then is blind. */
export async function runSelfTest(say: (text: string) => void): Promise<boolean> {
  const shop = await openWorkshop({});
  let isGood = true;
  for (const breakage of Object.keys(BREAKAGES) as Breakage[]) {
    for (const plan of NIGHTS[breakage]) {
      const healthy = await runNight(shop, plan, null);
      const broken = await runNight(shop, plan, breakage);
      const isRight = healthy === 0 && broken > 0;
      if (!isRight) isGood = false;
      const how = `${healthy} violations with it, ${broken} without`;
      say(`${isRight ? 'ok ' : 'BAD'} ${breakage.padEnd(20)} ${how}: ${BREAKAGES[breakage]}`);
    }
  }
  await shop.close();
  return isGood;
}

async function runNight(shop: Workshop, plan: Plan, breakage: Breakage | null): Promise<number> {
  const toll = await runPlans({ ...shop, breakage }, [plan]);
  return KINDS.reduce((sum, kind) => sum + toll[kind], 0);
}
