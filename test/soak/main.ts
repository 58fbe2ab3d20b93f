import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { EXIT_CODES } from '../../src/core/base/failure.ts';
import { judgeNight } from './judge-night.ts';
import { playNight } from './play-night.ts';
import { makeProject } from './project.ts';
import { getGrowth } from './watch-process.ts';

const HELP = `npm run soak                       a night of 60 tasks: planned from a spec, lied about, killed, asked about
npm run soak -- --tasks 12         a shorter one
--kills N    how often the harness is shot (once for every five tasks)
--seed N     when it is shot
--keep       leaves the project there
--json       the last line of stdout is the result alone`;

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '60' },
    kills: { type: 'string' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Memory may wobble with the garbage collector; a leak over a night goes far beyond. */
const MAX_RSS_GROWTH = 0.3;

if (values.help) console.log(HELP);
else await soak();

async function soak(): Promise<void> {
  const tasks = Number(values.tasks);
  const kills = values.kills === undefined ? Math.ceil(tasks / 5) : Number(values.kills);
  const say = (text: string): void => console.error(text);
  const startedMs = Date.now();
  const project = await makeProject(tasks);
  say(`${tasks} tasks planned in ${project.root}`);
  try {
    const random = createRandom(Number(values.seed));
    const night = await playNight(project, { kills, calmMs: [10_000, 40_000], random, say });
    const morning = await judgeNight(project, tasks);
    const growth = getGrowth(night.samples);
    const result = {
      tasks,
      proven: morning.proven.length,
      escalated: morning.escalated.length,
      falseDone: morning.falseDone.length,
      lost: morning.lost.length,
      doubled: morning.doubled.length,
      orphans: morning.orphans,
      rssGrowth: growth.rss,
      fdGrowth: growth.fds,
      kills: night.kills,
      answered: night.answered,
      diskGrowth: Math.round((night.disk[1] / Math.max(1, night.disk[0]) - 1) * 1_000) / 1_000,
      diskKb: Math.round(night.disk[1] / 1_000),
      audit: morning.auditCode === 0,
    };
    const { unjustified, falseDone, lost, doubled } = morning;
    if (unjustified.length + falseDone.length + lost.length + doubled.length > 0)
      say(JSON.stringify({ unjustified, falseDone, lost, doubled }));
    const isGood =
      unjustified.length + falseDone.length + lost.length + doubled.length + morning.orphans === 0 &&
      morning.auditCode === 0 &&
      growth.fds <= 0 &&
      growth.rss <= MAX_RSS_GROWTH;
    say(`${Math.round((Date.now() - startedMs) / 1000)} s`);
    console.log(JSON.stringify(result));
    process.exitCode = isGood ? 0 : EXIT_CODES.unproven;
  } finally {
    if (!values.keep) rmSync(project.dir, { recursive: true, force: true });
  }
}

/** The same night again for the same seed, as far as clocks allow. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
