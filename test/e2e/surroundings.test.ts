import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/adapters/store/open-store.ts';
import { CONFIG, commit, getBacklog, makeProject, runCli } from '../support/cli.ts';

type Variables = Readonly<Record<string, string>>;

const FEATURES = [1, 2].map(id => ({
  id,
  description: `Thing ${id} exists`,
  test_file: `test/thing-${id}.sh`,
  passes: false,
}));

function read(path: string): Variables {
  const lines = readFileSync(path, 'utf8').split('\n');
  return Object.fromEntries(lines.map(line => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]));
}

/** One task; the agent, the tests and the environment's commands each write down what they were given. */
async function runOne(env: Variables, more = '') {
  const dir = makeProject();
  const out = join(dirname(dir), 'seen');
  mkdirSync(out);
  commit(dir, {
    '.harness.yaml': `${CONFIG}sandbox: { mode: "off" }
environment: { init: "env > ${out}/init", stop: "env > ${out}/stop"${more} }
`,
    'features.json': getBacklog(FEATURES.slice(0, 1)),
    'agent.yaml': `tasks:
  "1": [{ run: "env > ${out}/agent" }, { edit: { file: src/1.txt, content: "1" } }, { claim: done }]
`,
    'test/thing-1.sh': `env > ${out}/test; test -f src/1.txt\n`,
  });
  const { code, stdout, stderr } = await runCli(dir, ['run', '--all'], env);
  expect([code, stdout + stderr]).toEqual([0, expect.any(String)]);
  const seen = (name: string) => read(join(out, name));
  return { dir, agent: seen('agent'), test: seen('test'), init: seen('init'), stop: seen('stop') };
}

describe('what a slot has to itself', () => {
  it('is given to the agent, to its tests, and both to what brings the environment up and down', async () => {
    const { dir, agent, test, init, stop } = await runOne({});
    expect(agent).toMatchObject({ HARNESS_SLOT: '1', HARNESS_PORT: expect.stringMatching(/^[23]\d{4}$/) });
    expect(agent.HARNESS_DB_SUFFIX).toMatch(/^h[0-9a-f]{8}_1$/);
    expect(test.HARNESS_DB_SUFFIX).toBe(`${agent.HARNESS_DB_SUFFIX}v`);
    for (const name of ['HARNESS_PORT', 'HARNESS_PORT_10', 'COMPOSE_PROJECT_NAME'])
      expect([test[name], agent[name]]).toEqual([
        expect.any(String),
        expect.not.stringMatching(`^${test[name]}$`),
      ]);
    for (const seen of [init, stop])
      expect(seen).toMatchObject({
        HARNESS_PORT: agent.HARNESS_PORT,
        HARNESS_DB_SUFFIX: agent.HARNESS_DB_SUFFIX,
        HARNESS_VERIFICATION_PORT: test.HARNESS_PORT,
        HARNESS_VERIFICATION_DB_SUFFIX: test.HARNESS_DB_SUFFIX,
      });
    const store = await openStore({ stateDir: join(dir, '.harness') });
    expect(await store.leases()).toEqual([]);
    await store.close();
  });

  it('gives way to what the user sets and names in environment.env', async () => {
    const own = { COMPOSE_PROJECT_NAME: 'mine', HARNESS_DB_SUFFIX: 'x' };
    const { agent, test, init } = await runOne(own, ', env: [COMPOSE_PROJECT_NAME]');
    for (const seen of [agent, test, init]) {
      expect(seen.COMPOSE_PROJECT_NAME).toBe('mine');
      expect(seen.HARNESS_DB_SUFFIX).toMatch(/^h/);
    }
  });

  it('is the next block of ports where somebody listens on one, and the person is told', async () => {
    const dir = makeProject();
    const out = join(dirname(dir), 'seen');
    mkdirSync(out);
    const work = (id: number) =>
      `  "${id}": [{ run: "env > ${out}/${id}" }, { edit: { file: src/${id}.txt, content: x } }, { claim: done }]`;
    commit(dir, {
      '.harness.yaml': `${CONFIG}sandbox: { mode: "off" }\n`,
      'features.json': getBacklog(FEATURES),
      'agent.yaml': `tasks:\n${work(1)}\n${work(2)}\n`,
    });
    expect((await runCli(dir, ['run'])).code).toBe(0);
    const port = Number(read(join(out, '1')).HARNESS_PORT_4);
    const server = createServer();
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
    const { code, stderr } = await runCli(dir, ['run']);
    server.close();
    expect([code, stderr]).toEqual([0, expect.stringContaining(`somebody listens on port ${port}`)]);
    expect(read(join(out, '2')).HARNESS_PORT).not.toBe(read(join(out, '1')).HARNESS_PORT);
  });
});
