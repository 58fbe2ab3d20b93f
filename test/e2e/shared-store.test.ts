import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CONFIG, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, write } from '../support/git-fixture.ts';
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
  const dir = makeProject({
    '.harness.yaml': `${CONFIG.replace('agent: {', `agent: { env: [${names}],`)}environment: { env: [${names}] }\n`,
    'test/all.sh': `env > "$OTHER/seen-$$"\nexit 0\n`,
  });
  const seen = join(dirname(dir), 'seen');
  write(dirname(dir), { 'seen/.keep': '' });
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
