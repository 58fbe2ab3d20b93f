import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCommandAgent } from '../../src/adapters/agents/command/command.ts';
import { createSockets } from '../../src/adapters/machine/sockets.ts';
import { createClock } from '../../src/adapters/process/clock.ts';
import { createRandom } from '../../src/adapters/process/random.ts';
import { createShell } from '../../src/adapters/process/shell.ts';
import { openStore } from '../../src/adapters/store/open-store.ts';
import { createTests } from '../../src/adapters/tests/run-tests.ts';
import { getShellQuoted } from '../../src/core/base/shell-quoted.ts';
import { LeaseKeeper } from '../../src/loop/lease-keeper.ts';
import { TestRuns } from '../../src/testruns/test-runs.ts';
import { Worktrees } from '../../src/testruns/worktrees.ts';
import { simPolicy } from '../sim/sim-policy.ts';
import { createBench } from '../support/bench.ts';
import { makeRepo, makeTempDir, open } from '../support/git-fixture.ts';
import { makeTask } from '../support/history.ts';
import { startPostgres } from '../support/postgres.ts';
import { useStateDirs } from '../support/temp-dir.ts';

/** Keeps a row in a database of its own; `module` and `where` say which package and which server. */
const SQLITE = `const { DatabaseSync } = require(module);
const file = new DatabaseSync(join(where, 'app_' + name + '.db'));
file.exec('CREATE TABLE who (slot TEXT)');
file.prepare('INSERT INTO who VALUES (?)').run(HARNESS_SLOT);
const read = async () => file.prepare('SELECT slot FROM who').all();
const close = async () => file.close();
`;

const POSTGRES = `const pg = require(module);
const first = new pg.Client(where);
await first.connect();
await first.query('CREATE DATABASE app_' + name);
await first.end();
const own = new URL(where);
own.pathname = '/app_' + name;
const client = new pg.Client(own.href);
await client.connect();
await client.query('CREATE TABLE who (slot TEXT)');
await client.query('INSERT INTO who VALUES ($1)', [HARNESS_SLOT]);
const read = async () => (await client.query('SELECT slot FROM who')).rows;
const close = () => client.end();
`;

/**
 * A server on its own port with its own database, which says so when it is asked. It stays until all four are up at once
 * and each has asked all of them: whoever shares anything gets another's answer, or cannot listen.
 */
const getMeeting = (
  database: string,
) => `import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
const require = createRequire(import.meta.url);
const [folder, module, where] = process.argv.slice(2);
const { HARNESS_PORT, HARNESS_DB_SUFFIX: name, HARNESS_SLOT, COMPOSE_PROJECT_NAME, TMPDIR } = process.env;
${database}
const server = createServer(async (_, response) => {
  const rows = await read();
  response.end(name + ' ' + rows.map(row => row.slot).join());
});
await new Promise((resolve, reject) => {
  server.once('error', reject).listen(Number(HARNESS_PORT), '127.0.0.1', resolve);
});
const say = (ending, facts) => {
  writeFileSync(join(folder, name + '.part'), JSON.stringify(facts));
  renameSync(join(folder, name + '.part'), join(folder, name + ending));
};
const findAll = async ending => {
  for (;;) {
    const names = readdirSync(folder).filter(each => each.endsWith(ending));
    if (names.length === 4) return names;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
};
say('.up', { port: HARNESS_PORT, name, slot: HARNESS_SLOT });
const answers = {};
for (const each of await findAll('.up')) {
  const other = JSON.parse(readFileSync(join(folder, each), 'utf8'));
  const response = await fetch('http://127.0.0.1:' + other.port);
  answers[other.name + ' ' + other.slot] = await response.text();
}
say('.asked', { answers, port: HARNESS_PORT, compose: COMPOSE_PROJECT_NAME, tmp: TMPDIR });
await findAll('.asked');
server.closeAllConnections();
server.close();
await close();
`;

interface Asked {
  readonly answers: Readonly<Record<string, string>>;
  readonly port: string;
  readonly compose: string;
  readonly tmp: string;
}

const makeStateDir = useStateDirs();

async function openStage(meeting: string) {
  const stateDir = makeStateDir();
  const workspace = await open(makeRepo({ 'meet.mjs': meeting }));
  const random = createRandom();
  const owner = { workerId: 'w-surroundings', random };
  const reports = makeTempDir();
  const ports = {
    ...createBench({}).ports,
    ...{ random, workspace, clock: createClock(), store: await openStore({ stateDir }) },
    sockets: createSockets('m-test', stateDir),
    tests: createTests(
      createShell({ ...owner, ci: true }),
      () => join(reports, random.token()),
      path => rm(path, { force: true }),
    ),
  };
  const policy = { ...simPolicy, leaseMs: 30_000, heartbeatMs: 1_000 };
  const lanes = [1, 2].map(slot => ({
    slot,
    keeper: new LeaseKeeper(ports.store, ports.clock, policy.leaseMs, policy.heartbeatMs),
  }));
  const worktrees = new Worktrees({ ports, policy });
  for (const { slot, keeper } of lanes) await worktrees.surroundings.assign(slot, keeper);
  return { ports, policy, owner, lanes, worktrees };
}

/** Two agents and those who verify their slots, all at once; what each of them was told by all. */
async function meet(database: string, module: string, where: string) {
  const meeting = getMeeting(database);
  const stage = await openStage(meeting);
  const { ports, policy, owner, worktrees } = stage;
  const folder = makeTempDir();
  const command = `node meet.mjs ${[folder, module, where].map(getShellQuoted).join(' ')}`;
  const { signal } = new AbortController();
  const { tree } = await ports.workspace.tip();
  const agent = createCommandAgent({ owner, command });
  const work = async (slot: number) => {
    const cwd = makeTempDir();
    writeFileSync(join(cwd, 'meet.mjs'), meeting);
    const surroundings = await worktrees.surroundings.open(slot, 'agent');
    const session = { task: makeTask('1'), attempt: 1, session: slot, prompt: '', timeoutMs: 30_000, signal };
    const { outcome, summary } = await agent.run({ ...session, cwd, surroundings }, () => undefined);
    return [outcome === 'claimed', summary];
  };
  const verify = async (slot: number) => {
    const tests = new TestRuns({ ports, policy, slot, signal, worktrees });
    const how = { runner: 'command', idWithoutReport: 'meeting', timeoutMs: 30_000 } as const;
    // Asked for the same at once, the second would wait for the first.
    const what = { purpose: 'meeting', side: 'candidate', tree, command, repeat: slot } as const;
    const { exitCode, outputTail } = await tests.run({ ...what, ...how });
    return [exitCode === 0, outputTail];
  };
  const ended = await Promise.all([work(1), work(2), verify(1), verify(2)]);
  expect(ended).toEqual(ended.map(() => [true, expect.any(String)]));
  const suffixes = ['_1', '_1v', '_2', '_2v'].map(end => `${ports.sockets.project}${end}`);
  const asked = suffixes.map(name => {
    return JSON.parse(readFileSync(join(folder, `${name}.asked`), 'utf8')) as Asked;
  });
  return { ...stage, suffixes, asked };
}

/** Everybody was told by each server its own name, and the one row of its own database. */
function getExpected(suffixes: readonly string[]) {
  const told = suffixes.map(name => `${name} ${name.replace(/v$/, '').slice(-1)}`);
  return Object.fromEntries(told.map(each => [each, each]));
}

it('two slots have a server and a database each, and so have those who verify them, all at once', async () => {
  const sqlite = createRequire(import.meta.url).resolve('@photostructure/sqlite');
  const { ports, lanes, suffixes, asked } = await meet(SQLITE, sqlite, makeTempDir());
  for (const { answers } of asked) expect(answers).toEqual(getExpected(suffixes));
  for (const part of ['port', 'compose', 'tmp'] as const)
    expect(new Set(asked.map(each => each[part])).size, part).toBe(4);
  for (const { tmp } of asked) expect(tmp.length).toBeLessThan(80);

  const held = lanes.flatMap(({ keeper }) => keeper.all());
  expect(held).toHaveLength(4);
  expect((await ports.store.leases()).map(({ resource }) => resource).sort()).toEqual(
    held.map(({ resource }) => resource).sort(),
  );
  for (const { keeper } of lanes) await keeper.stop();
  await ports.store.close();
});

it('on one PostgreSQL server each has a database of its own', async () => {
  const server = await startPostgres();
  try {
    const pg = createRequire(import.meta.url).resolve('pg');
    const { ports, lanes, suffixes, asked } = await meet(POSTGRES, pg, server.url());
    for (const { answers } of asked) expect(answers).toEqual(getExpected(suffixes));
    const made = await server.query<{ name: string }>(
      server.url(),
      "SELECT datname AS name FROM pg_database WHERE datname LIKE 'app_%' ORDER BY 1",
    );
    expect(made.map(({ name }) => name)).toEqual(suffixes.map(suffix => `app_${suffix}`));
    for (const { keeper } of lanes) await keeper.stop();
    await ports.store.close();
  } finally {
    await server.stop();
  }
});
