import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EXIT_CODES } from '../../src/core/base/failure.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { startPostgres } from '../support/postgres.ts';
import { Host } from './host.ts';
import { isAtRest, judgeFleet, readRecord } from './judge-fleet.ts';
import { git, makeProject, pushAsPerson } from './project.ts';

const HELP = `npm run fleet                      several hosts on one remote and one PostgreSQL, with faults all along
--tasks N     120      --hosts N    3      --workers N   8 on each
--faults N    one for every three tasks; --seed N: which, and when
--minutes N   gives up after so long (60)
--keep        leaves everything there;  --json: the last line of stdout is the result alone`;

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '120' },
    hosts: { type: 'string', default: '3' },
    workers: { type: 'string', default: '8' },
    faults: { type: 'string' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '60' },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else await play();

async function play(): Promise<void> {
  const tasks = Number(values.tasks);
  const random = createRandom(Number(values.seed));
  const program = resolve('dist/harness.js');
  const server = await startPostgres({ isDurable: true });
  await server.createDatabase('fleet');
  const proxy = await startCuttingProxy(server.port);
  const project = makeProject(tasks);
  git(project.dir, 'clone', '-q', project.remote, join(project.dir, 'watcher'));
  const storeUrl = server.url('fleet').replace(`:${server.port}/`, `:${proxy.port}/`);
  const env = { ...process.env, HARNESS_STORE_URL: server.url('fleet') };
  const say = (text: string): void =>
    console.error(`${((Date.now() - startedMs) / 1000).toFixed(0)} s  ${text}`);
  const startedMs = Date.now();
  const options = { project, program, storeUrl, workers: Number(values.workers) };
  const hosts: Host[] = [];
  let restMs = 500;
  const run = (host: Host): void =>
    host.start(code => {
      if (code !== null) say(`${host.name} ended with ${code}`);
      setTimeout(() => run(host), restMs);
    });
  const add = (): void => {
    const host = new Host(`host${hosts.length + 1}`, options);
    hosts.push(host);
    run(host);
  };
  for (let at = 0; at < Number(values.hosts); at++) add();
  let byHand = 0;
  const alive = (): Host[] => hosts.filter(({ isRunning }) => isRunning);
  const pick = (): Host | undefined => alive()[Math.floor(random() * alive().length)];
  const FAULTS: readonly (readonly [string, () => Promise<void> | void])[] = [
    ['kill -9 of a host’s harness', () => pick()?.signal('SIGKILL')],
    ['kill -9 of a host’s harness', () => pick()?.signal('SIGKILL')],
    [
      'a host stands still beyond its leases',
      async () => {
        const host = pick();
        host?.signal('SIGSTOP');
        await sleep(16_000);
        host?.signal('SIGCONT');
      },
    ],
    [
      'a host is lost with its disk, and another comes',
      () => {
        pick()?.vanish();
        add();
      },
    ],
    [
      'the database is shot and comes back',
      async () => {
        await server.kill();
        await sleep(1_500);
        await server.start();
      },
    ],
    ['a connection is cut as it answers', () => proxy.cutAnswer('ok')],
    [
      'the database says nothing for a while',
      async () => {
        proxy.swallow(true);
        await sleep(4_000);
        proxy.swallow(false);
      },
    ],
    ['a person pushes', () => pushAsPerson(project, ++byHand)],
    ['a person pushes', () => pushAsPerson(project, ++byHand)],
  ];
  const most = values.faults === undefined ? Math.ceil(tasks / 3) : Number(values.faults);
  let faults = 0;
  const endMs = startedMs + Number(values.minutes) * 60_000;
  let look = await readRecord(project, env);
  try {
    while (!isAtRest(look, tasks) && Date.now() < endMs) {
      await sleep(2_000 + random() * 3_000);
      const [what, happen] = FAULTS[Math.floor(random() * FAULTS.length)] ??
        FAULTS[0] ?? ['', () => undefined];
      if (faults < most) {
        faults++;
        say(what);
        await happen();
      }
      look = await readRecord(project, env).catch(() => look);
      const { landed, active, blocked, failed } = look.state.counts;
      say(
        `${landed} landed, ${active} active (${[...look.state.active.values()].filter(({ stage }) => stage === 'queued').length} queued), ${blocked + failed} with a person`,
      );
    }
    restMs = 1_000_000;
    for (const host of hosts) host.retire();
    for (const deadline = Date.now() + 60_000; alive().length > 0 && Date.now() < deadline; )
      await sleep(200);
    for (const host of alive()) host.signal('SIGTERM');
    await sleep(alive().length > 0 ? 5_000 : 0);
    const orphans = hosts.flatMap(host => host.findProcesses()).length;
    const verdict = await judgeFleet(project, env, byHand);
    const { unjustified, lost, doubled, unprovenOnBase, isSound, ...figures } = verdict;
    const isGood = [unjustified, lost, doubled, unprovenOnBase].every(list => list.length === 0);
    console.error(JSON.stringify({ unjustified, lost, doubled, unprovenOnBase }));
    const result = {
      tasks,
      ...figures,
      ...{ unjustified: unjustified.length, lost: lost.length, doubled: doubled.length },
      ...{ unprovenOnBase: unprovenOnBase.length, orphans, faults, byHand, sound: isSound },
    };
    console.log(JSON.stringify(result));
    const isAll = figures.landed + figures.escalated === tasks && isSound && orphans === 0;
    process.exitCode = isGood && isAll && figures.overspentUsd === 0 ? 0 : EXIT_CODES.unproven;
  } finally {
    for (const host of hosts) host.signal('SIGKILL');
    await proxy.close();
    await server.stop();
    if (!values.keep) rmSync(project.dir, { recursive: true, force: true });
    process.exit();
  }
}

function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
