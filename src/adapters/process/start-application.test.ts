import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { useTempDir } from '../../../test/support/real-processes.ts';
import { useProcessTable } from './proc.ts';
import { type Application, startApplication } from './start-application.ts';

const makeDir = useTempDir();
const servers: Server[] = [];
const started: Application[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  useProcessTable(null);
  for (const application of started.splice(0)) application.stop();
  await Promise.all(servers.splice(0).map(server => new Promise(resolve => server.close(resolve))));
});

async function listen(port = 0, host = '127.0.0.1'): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  servers.push(server);
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Two ports that are free, as a slot would have them. */
async function findFree(): Promise<readonly [string, string]> {
  const ports = [await listen(), await listen()];
  await Promise.all(servers.splice(0).map(server => new Promise(resolve => server.close(resolve))));
  return [String(ports[0]), String(ports[1])];
}

const COMMAND = `node -e "require('http').createServer((_, r) => r.end(process.env.HARNESS_PORT + ' ' + process.env.PORT)).listen(process.env.HARNESS_PORT, '127.0.0.1')"`;

async function start(): Promise<string> {
  const url = 'http://127.0.0.1:HARNESS_PORT';
  const application = await startApplication({ command: COMMAND, dir: makeDir(), url, readyMs: 30_000 });
  if ('fault' in application) throw new Error(application.why);
  started.push(application);
  return `${new URL(application.url).port}: ${await (await fetch(application.url)).text()}`;
}

it('an application is put on the first port of its slot', async () => {
  const [first, second] = await findFree();
  vi.stubEnv('HARNESS_PORT', first);
  vi.stubEnv('HARNESS_PORT_2', second);
  expect(await start()).toBe(`${first}: ${first} ${first}`);
});

it('an application is put on the next one where somebody listens there', async () => {
  const [first, second] = await findFree();
  await listen(Number(first));
  vi.stubEnv('HARNESS_PORT', first);
  vi.stubEnv('HARNESS_PORT_2', second);
  expect(await start()).toBe(`${second}: ${second} ${second}`);
});

it('an application that has somebody else at its address is not started', async () => {
  const url = `http://127.0.0.1:${await listen()}`;
  const dir = makeDir();
  const asked = await startApplication({ command: 'touch started', dir, url, readyMs: 30_000 });
  expect(asked).toMatchObject({ fault: 'foreign', why: expect.stringContaining('not started here') });
  expect(existsSync(join(dir, 'started'))).toBe(false);
});

it('an answer from elsewhere, while an application starts, is not its own', async () => {
  const [port] = await findFree();
  const file = join(makeDir(), 'foreign.cjs');
  // In a group of its own and without our mark: as if somebody had been quicker.
  writeFileSync(file, `require('http').createServer((_, r) => r.end()).listen(${port}, '127.0.0.1')`);
  vi.stubEnv('HARNESS_RUN', undefined);
  const command = `setsid node ${file} & echo $! > pid; sleep 60`;
  const dir = makeDir();
  const asked = await startApplication({ command, dir, url: `http://127.0.0.1:${port}`, readyMs: 30_000 });
  process.kill(Number(readFileSync(join(dir, 'pid'), 'utf8')), 'SIGKILL');
  expect(asked).toMatchObject({ fault: 'foreign' });
});

it('an application beside which somebody else comes to listen is told of', async () => {
  const url = 'http://127.0.0.1:HARNESS_PORT';
  const application = await startApplication({ command: COMMAND, dir: makeDir(), url, readyMs: 30_000 });
  if ('fault' in application) throw new Error(application.why);
  started.push(application);
  expect(application.isForeign()).toBe(false);
  await listen(Number(new URL(application.url).port), '127.0.0.2');
  expect(application.isForeign()).toBe(true);
});

it('where nobody can see who listens, no application is started', async () => {
  useProcessTable('ps');
  const url = 'http://127.0.0.1:HARNESS_PORT';
  const asked = await startApplication({ command: COMMAND, dir: makeDir(), url, readyMs: 30_000 });
  expect(asked).toMatchObject({ fault: 'unseen', why: expect.stringContaining('/proc') });
});

it('an application that answers with errors only is not up', async () => {
  const url = 'http://127.0.0.1:HARNESS_PORT';
  // It ends with its second answer, so that nobody has to wait for long.
  const server = `let n = 0; require('http').createServer((_, r) => { r.writeHead(503).end(); if (++n > 1) process.exit(4); })`;
  const command = `node -e "${server}.listen(process.env.PORT, '127.0.0.1')"`;
  const asked = await startApplication({ command, dir: makeDir(), url, readyMs: 30_000 });
  expect(asked).toMatchObject({ fault: 'down', why: expect.stringContaining('ended with 4') });
});

it('an application that ends at once is down, with what it said', async () => {
  const url = 'http://127.0.0.1:HARNESS_PORT';
  const asked = await startApplication({
    ...{ command: 'echo no database; exit 3', dir: makeDir(), url, readyMs: 30_000 },
  });
  expect(asked).toMatchObject({ fault: 'down', why: expect.stringMatching(/ended with 3\nno database/) });
});

it('an application without a slot is put on any that is free', async () => {
  vi.stubEnv('HARNESS_PORT', undefined);
  vi.stubEnv('HARNESS_PORT_2', undefined);
  expect(await start()).toMatch(/^(\d+): \1 \1$/);
});
