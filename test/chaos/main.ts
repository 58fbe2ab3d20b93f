import { parseArgs } from 'node:util';
import { EXIT_CODES } from '../../src/core/base/failure.ts';
import { BREAKAGES, parseBreakage } from './breakages.ts';
import type { Harm } from './failpoints.ts';
import { KINDS } from './judge.ts';
import { getRedText, runCampaign, runPlans, type Toll } from './run-campaign.ts';
import { parseProcs } from './run-child.ts';
import type { Plan } from './run-round.ts';
import { canMount, SCENES, type Scene } from './scenes.ts';
import { runSelfTest } from './self-test.ts';
import { openWorkshop } from './workshop.ts';

const HELP = `npm run chaos                      kills at every failpoint at least once, 500 times or more; then
                                   the cache is lost, the disk is full, the clock jumps, the machine sleeps, answers are lost
npm run chaos -- --lose 10 --fill 5 --clock 5 --cut 5  so often
npm run chaos -- --rounds 1000     so many rounds of up to five kills
npm run chaos -- --scene beside    in one scene only: ${SCENES.join(', ')}
npm run chaos -- --procs ps         processes seen by ps, as on a Mac; none: not at all
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
    'min-kills': { type: 'string', default: '500' },
    lose: { type: 'string', default: '100' },
    fill: { type: 'string', default: '50' },
    clock: { type: 'string', default: '50' },
    cut: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    break: { type: 'string' },
    procs: { type: 'string' },
    scene: { type: 'string' },
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
  const shop = await openWorkshop({ breakage, procs: parseProcs(values.procs), keep: values.keep });
  const startedMs = Date.now();
  let rounds = 0;
  const result = await runCampaign(shop, {
    minKills: Number(values['min-kills']),
    seed: Number(values.seed),
    jobs: Number(values.jobs),
    harms: getHarms(shop.parent),
    ...(values.scene === undefined ? {} : { scenes: [parseScene(values.scene)] }),
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
  const { failpoints, open, ...toll } = result;
  const seconds = Math.round((Date.now() - startedMs) / 1000);
  if (open.length > 0) console.error(`not killed at: ${open.join(', ')}`);
  console.error(
    `${rounds} rounds, ${toll.kills} kills at ${failpoints - open.length} of ${failpoints} failpoints, ${seconds} s`,
  );
  tell(toll);
}

async function replay(text: string): Promise<void> {
  const [scene, ...kills] = text.trim().split(/\s+/);
  const plan: Plan = { scene: parseScene(scene), kills };
  const shop = await openWorkshop({
    breakage: parseBreakage(values.break),
    procs: parseProcs(values.procs),
    keep: values.keep,
  });
  const result = await runPlans(shop, [plan], report => {
    console.error(`killed at: ${report.killedAt.join(', ') || 'nothing'}`);
    if (report.violations.length > 0) console.error(getRedText(report));
  }).finally(() => shop.close());
  tell(result);
}

function parseScene(name = ''): Scene {
  if (SCENES.includes(name as Scene)) return name as Scene;
  throw new Error(`a scene is one of ${SCENES.join(', ')}`);
}

/** Half of the jumps are sleeps. Without a small disk to fill, that part is left out and said to be. */
function getHarms(parent: string): Partial<Record<Exclude<Harm, 'kill'>, number>> {
  const [lose, fill, clock] = [Number(values.lose), Number(values.fill), Number(values.clock)];
  const isSmall = fill > 0 && canMount(parent);
  if (fill > 0 && !isSmall) console.error('no disk can be mounted here: a full one is not tried');
  const half = Math.floor(clock / 2);
  return { lose, fill: isSmall ? fill : 0, step: clock - half, sleep: half, cut: Number(values.cut) };
}

function tell(toll: Toll): void {
  const { kills, lose, fill, step, sleep, cut } = toll;
  const found = KINDS.map(kind => [kind, toll[kind]] as const);
  const happened = { kills, cacheLosses: lose, diskFull: fill, clockJumps: step + sleep, cuts: cut };
  const list = [...Object.entries(happened), ...found];
  console.log(
    values.json
      ? JSON.stringify(Object.fromEntries(list))
      : list.map(([name, count]) => `${count} ${name}`).join(', '),
  );
  process.exitCode = found.every(([, count]) => count === 0) ? 0 : EXIT_CODES.unproven;
}
