import { createServer, type Server } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { useTempDir } from '../../../test/support/real-processes.ts';
import { type Application, startApplication } from './start-application.ts';

const makeDir = useTempDir();
const servers: Server[] = [];
const started: Application[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const application of started.splice(0)) application.stop();
  await Promise.all(servers.splice(0).map(server => new Promise(resolve => server.close(resolve))));
});

async function listen(port = 0): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
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
  if (typeof application === 'string') throw new Error(application);
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

it('an application without a slot is put on any that is free', async () => {
  vi.stubEnv('HARNESS_PORT', undefined);
  vi.stubEnv('HARNESS_PORT_2', undefined);
  expect(await start()).toMatch(/^(\d+): \1 \1$/);
});
