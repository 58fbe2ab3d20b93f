import { parseArgs } from 'node:util';
import { EXIT_CODES } from '../../src/core/failure.ts';
import { BREAKAGES, parseBreakage } from './breakages.ts';
import { getRedText, runCampaign, runPlans } from './run-campaign.ts';
import type { Plan } from './run-round.ts';
import { SCENES, type Scene } from './scenes.ts';
import { runSelfTest } from './self-test.ts';
import { openWorkshop } from './workshop.ts';

const HELP = `npm run chaos                      kills at every failpoint at least once, 300 times or more
npm run chaos -- --rounds 1000     so many rounds of up to five kills
npm run chaos -- --replay '<scene> <kill> …'   one round again; --keep leaves its folder
npm run chaos -- --self-test       takes each safeguard away and expects red
npm run chaos -- --break <name>    runs without one safeguard:
${Object.entries(BREAKAGES)
  .map(([name, what]) => `  ${name.padEnd(20)} the harness no longer ${what}`)
  .join('\n')}
--json    the last line of stdout is the result alone`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    'min-kills': { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    break: { type: 'string' },
    replay: { type: 'string' },
    'self-test': { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else if (values['self-test'])
  process.exitCode = (await runSelfTest(text => console.error(text))) ? 0 : EXIT_CODES.unproven;
else if (values.replay !== undefined) await replay(values.replay);
else await sweep();

async function sweep(): Promise<void> {
  const breakage = parseBreakage(values.break);
  const shop = await openWorkshop({ breakage, keep: values.keep });
  const startedMs = Date.now();
  let rounds = 0;
  const result = await runCampaign(shop, {
    minKills: Number(values['min-kills']),
    seed: Number(values.seed),
    jobs: Number(values.jobs),
    ...(values.rounds === undefined ? {} : { rounds: Number(values.rounds) }),
    ...(breakage === null ? {} : { maxRed: 3 }),
    onRound: (report, total) => {
      if (report.violations.length > 0) console.error(getRedText(report));
      if (++rounds % 20 === 0)
        console.error(
          `${rounds} rounds, ${total.kills} kills, ${total.open.length} of ${total.failpoints} failpoints to go`,
        );
    },
  }).finally(() => shop.close());
  const { kills, lost, doubled, wedged, failpoints, open } = result;
  const seconds = Math.round((Date.now() - startedMs) / 1000);
  if (open.length > 0) console.error(`not killed at: ${open.join(', ')}`);
  console.error(
    `${rounds} rounds, ${kills} kills at ${failpoints - open.length} of ${failpoints} failpoints, ${seconds} s`,
  );
  tell({ kills, lost, doubled, wedged });
}

async function replay(text: string): Promise<void> {
  const [scene, ...kills] = text.trim().split(/\s+/);
  if (!SCENES.includes(scene as Scene)) throw new Error(`a replay starts with one of ${SCENES.join(', ')}`);
  const plan: Plan = { scene: scene as Scene, kills };
  const shop = await openWorkshop({ breakage: parseBreakage(values.break), keep: values.keep });
  const result = await runPlans(shop, [plan], report => {
    console.error(`killed at: ${report.killedAt.join(', ') || 'nothing'}`);
    if (report.violations.length > 0) console.error(getRedText(report));
  }).finally(() => shop.close());
  tell(result);
}

function tell(result: { kills: number; lost: number; doubled: number; wedged: number }): void {
  const { kills, lost, doubled, wedged } = result;
  console.log(
    values.json
      ? JSON.stringify({ kills, lost, doubled, wedged })
      : `${kills} kills, ${lost} lost, ${doubled} doubled, ${wedged} wedged`,
  );
  process.exitCode = lost + doubled + wedged === 0 ? 0 : EXIT_CODES.unproven;
}
