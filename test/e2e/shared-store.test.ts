import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openStore } from '../../src/adapters/store/open-store.ts';
import { MIGRATIONS } from '../../src/adapters/store/postgres/migrations.ts';
import { note } from '../contracts/store-fixture.ts';
import { CONFIG, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, makeTempDir, SHELL_ENV, write } from '../support/git-fixture.ts';
import { PASSWORD, type PostgresServer, startPostgres } from '../support/postgres.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

/** Every file below a folder that has a text in it. */
function findIn(dir: string, text: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(name => {
    const path = join(dir, name);
    return statSync(path, { throwIfNoEntry: false })?.isFile() && readFileSync(path).includes(text);
  });
}

it('with a URL a task runs and lands, the database has the records, and every look shows them', async () => {
  const dir = makeProject();
  const env = { HARNESS_STORE_URL: server.url() };
  expect(await runJson(dir, ['next'], env)).toMatchObject({ next: { id: '1' } });
  expect(await runJson(dir, ['run'], env)).toMatchObject({ attempts: [{ task: '1', outcome: 'landed' }] });
  expect(existsSync(join(dir, '.harness', 'store.db'))).toBe(false);
  expect(git(dir, 'show', 'HEAD:src/1.txt')).toBe('1');
  const status = await runCli(dir, ['status'], env);
  expect(status.stdout).toContain('1/3 landed');
  expect((await runCli(dir, ['log', '--task', '1'], env)).stdout).toContain('landed');
  expect(await runJson(dir, ['report'], env)).toMatchObject({});
  expect((await runCli(dir, ['verify', '1'], env)).code).toBe(0);
  expect((await runCli(dir, ['audit'], env)).code).toBe(0);
  expect((await runCli(dir, ['run', '--all'], env)).stdout).toContain('1 landed, 3 rejected');
  expect((await runJson<{ counts: object }>(dir, ['status'], env)).counts).toMatchObject({ landed: 2 });
  for (const where of [dir, join(dirname(dir), 'cache')])
    if (existsSync(where)) expect(findIn(where, PASSWORD)).toEqual([]);
});

it('a run goes on when its database is restarted in the middle of it', async () => {
  const url = await server.createDatabase('restarted');
  const dir = makeProject({ 'test/all.sh': 'sleep 1\nexit 0\n' });
  const run = runCli(dir, ['run', '--json'], { HARNESS_STORE_URL: url });
  const text = "SELECT FROM pg_stat_activity WHERE application_name = 'harness' AND datname = 'restarted'";
  while ((await server.query(server.url(), text)).length === 0)
    await new Promise(resolve => setImmediate(resolve));
  const begun = "SELECT FROM harness.events WHERE type = 'attempt.started'";
  while ((await server.query(url, begun).catch(() => [])).length === 0)
    await new Promise(resolve => setImmediate(resolve));
  await server.restart();
  const { code, stdout } = await run;
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { attempts: [{ task: '1', outcome: 'landed' }] }]);
});

it('two clones of a repository share the records of one project, and another project in that database does not', async () => {
  const url = await server.createDatabase('clones');
  const env = { HARNESS_STORE_URL: url };
  const dir = makeProject();
  await runCli(dir, ['run'], env);
  const clone = join(dirname(dir), 'clone');
  git(dirname(dir), 'clone', '-q', dir, clone);
  expect((await runJson<{ counts: object }>(clone, ['status'], env)).counts).toMatchObject({ landed: 1 });
  const other = makeProject({ 'README.md': `${Math.random()}` });
  expect((await runJson<{ counts: object }>(other, ['status'], env)).counts).toMatchObject({ landed: 0 });
});

it('several processes may be the first in an empty database at the same time', async () => {
  const env = { HARNESS_STORE_URL: await server.createDatabase('first') };
  const dir = makeProject();
  const all = await Promise.all([1, 2, 3].map(() => runCli(dir, ['status'], env)));
  expect(all.map(({ code, stderr }) => [code, stderr])).toEqual([1, 2, 3].map(() => [0, '']));
});

it('a move that is killed loses nothing, the next one ends it, and the old store says where its records are', async () => {
  const url = await server.createDatabase('moved');
  const dir = makeProject();
  expect((await runCli(dir, ['run'])).code).toBe(0);
  const stateDir = join(dir, '.harness');
  const old = await openStore({ stateDir });
  for (let n = 0; n < 40; n++) {
    const [newest] = await old.read({ stream: 'more', limit: 1, newestFirst: true });
    const events = Array.from({ length: 100 }, () => note('x'.repeat(100)));
    await old.append({ stream: 'more', expectedVersion: newest?.version ?? 0, events, atMs: 1 });
  }
  const before = await old.read({});
  await old.close();
  const env = { NEW_STORE: url };
  const args = [inject('harnessProgram'), 'store', 'move', '--to', 'env:NEW_STORE'];
  const child = spawn(process.execPath, args, { cwd: dir, env: { ...SHELL_ENV, ...env }, stdio: 'ignore' });
  const ended = new Promise(resolve => child.once('exit', (_, signal) => resolve(signal)));
  while (child.exitCode === null && !(await isCopying(url)))
    await new Promise(resolve => setImmediate(resolve));
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
  expect((await runCli(dir, ['status'])).code).toBe(0);
  const moved = await runCli(dir, ['store', 'move', '--to', 'env:NEW_STORE'], env);
  expect(moved.stderr).toBe('');
  expect(moved.stdout).toMatch(/Moved: \d+ events from .*store\.db on .* to postgres:\/\/harness@/);
  expect(moved.stdout).not.toContain(PASSWORD);
  const left = await runCli(dir, ['status']);
  expect([left.code, left.stderr]).toEqual([1, expect.stringMatching(/moved to postgres:\/\/harness@/)]);
  const there = { HARNESS_STORE_URL: url };
  expect((await runCli(dir, ['status'], there)).stdout).toContain('1/3 landed');
  expect(await runJson(dir, ['store'], there)).toMatchObject({
    facts: { engine: 'postgres', schema: MIGRATIONS.at(-1)?.to, events: expect.any(Number), tls: 'off' },
  });
  const back = await runJson<{ moved: { events: number } }>(dir, ['store', 'move', '--to', 'sqlite'], there);
  expect(back.moved.events).toBeGreaterThanOrEqual(before.length);
  expect((await runCli(dir, ['status'])).stdout).toContain('1/3 landed');
  expect((await runCli(dir, ['status'], there)).stderr).toMatch(/moved to .*store\.db/);
  const again = await openStore({ stateDir });
  expect((await again.read({})).slice(0, before.length)).toEqual(before);
  await again.close();
});

/** Whether a session writes events there. */
async function isCopying(url: string): Promise<boolean> {
  const text =
    "SELECT FROM pg_stat_activity WHERE application_name = 'harness' AND query LIKE 'INSERT INTO harness.events%'";
  return (await server.query(url, text)).length > 0;
}

it('records in the state directory and none in the database is not a new project, but a question', async () => {
  const dir = makeProject();
  await runCli(dir, ['run']);
  const { code, stderr } = await runCli(dir, ['status'], {
    HARNESS_STORE_URL: await server.createDatabase('two'),
  });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/without records of this project.*\s.*harness store move --to/),
  ]);
});

it('a file that has only been looked at is no records: the database begins, and nobody is warned of it', async () => {
  const dir = makeProject();
  expect((await runCli(dir, ['status'])).code).toBe(0);
  const env = { HARNESS_STORE_URL: await server.createDatabase('looked_at') };
  for (const command of ['status', 'next']) {
    const { code, stderr } = await runCli(dir, [command], env);
    expect([code, stderr]).toEqual([0, '']);
  }
});

it('doctor says which engine keeps the records, whether it answers, and who could listen', async () => {
  const dir = makeProject({ '.harness.yaml': `${CONFIG}store: { url: "\${MY_DB}" }\n` });
  const shown = await runCli(dir, ['doctor'], { MY_DB: server.url() });
  expect(shown.stdout).toMatch(
    /store .*PostgreSQL 18.* at postgres:\/\/harness@127\.0\.0\.1:\d+\/postgres, without TLS/,
  );
  const gone = await runCli(dir, ['doctor'], {
    MY_DB: `postgres://harness:${PASSWORD}@127.0.0.1:1/x?sslmode=disable`,
  });
  expect(gone.stdout).toMatch(/store .*cannot be reached/);
  const plain = await runCli(dir, ['doctor'], { MY_DB: server.url('postgres', '') });
  expect(plain.stdout).toMatch(/store .*cannot be reached over TLS.*does not support SSL/);
  write(dir, { '.harness.yaml': `${CONFIG}store: { url: "${server.url()}" }\n` });
  const written = await runCli(dir, ['doctor']);
  expect(written.stdout).toContain('the password of the database stands in .harness.yaml');
  for (const { stdout, stderr } of [shown, gone, plain, written])
    expect(stdout + stderr).not.toContain(PASSWORD);
});

it('neither agents nor tests see the login of the store, whatever its name, and no error shows it', async () => {
  const names = 'HARNESS_STORE_URL, MY_DB, OTHER';
  const beside = makeTempDir();
  const seen = join(beside, 'seen');
  write(beside, { 'seen/.keep': '' });
  // Where there is a sandbox, tests write there as well.
  const more = `environment: { env: [${names}] }\nsandbox: { writable: ['${seen}'] }\n`;
  const dir = makeProject({
    '.harness.yaml': `${CONFIG.replace('agent: {', `agent: { env: [${names}],`)}${more}`,
    'test/all.sh': `env > "$OTHER/seen-$$"\nexit 0\n`,
  });
  const url = server.url();
  const { code, stderr, stdout } = await runCli(dir, ['run'], {
    HARNESS_STORE_URL: url,
    MY_DB: url,
    OTHER: seen,
    FOO: 'bar',
  });
  expect(stdout + stderr).toContain('landed');
  expect(code).toBe(0);
  expect(readdirSync(seen).length).toBeGreaterThan(1);
  expect(findIn(seen, PASSWORD)).toEqual([]);
  expect(findIn(seen, 'HARNESS_STORE_URL')).toEqual([]);
  const wrong = await runCli(dir, ['status'], { HARNESS_STORE_URL: url.replace('harness:', 'nobody:') });
  expect(wrong.code).toBe(4);
  expect(wrong.stdout + wrong.stderr).not.toContain(PASSWORD);
  const bad = await runCli(dir, ['status'], { HARNESS_STORE_URL: `mysql://x:${PASSWORD}@y/z` });
  expect(bad.code).toBe(2);
  expect(bad.stdout + bad.stderr).not.toContain(PASSWORD);
});
