import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { findPortOwner } from './find-owner.ts';
import { MARKER_VARIABLE } from './marker.ts';
import { useProcessTable } from './proc.ts';

const servers: Server[] = [];
const groups: number[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  useProcessTable(null);
  for (const group of groups.splice(0)) process.kill(-group, 'SIGKILL');
  await Promise.all(servers.splice(0).map(server => new Promise(resolve => server.close(resolve))));
});

async function listen(host = '127.0.0.1', wanted = 0): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(wanted, host, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** A process in a group of its own that listens; its port, and the group. */
async function start(env: NodeJS.ProcessEnv = {}) {
  const code = `const s = require('net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))`;
  const child = spawn(process.execPath, ['-e', code], {
    ...{ detached: true, env: { PATH: process.env.PATH, ...env } },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const group = child.pid ?? 0;
  groups.push(group);
  const port = await new Promise<number>(resolve => child.stdout.once('data', text => resolve(Number(text))));
  return { port, group };
}

it('a port that a process of the group listens on is ours', async () => {
  const { port, group } = await start();
  expect(findPortOwner(port, group)).toBe('ours');
});

it('a process that left the group is known by the mark of the run', async () => {
  vi.stubEnv(MARKER_VARIABLE, 'w-outer:1,w-own:2');
  const { port } = await start({ [MARKER_VARIABLE]: 'w-outer:1,w-own:2' });
  expect(findPortOwner(port, 999_999_999)).toBe('ours');
});

it('a process of another run of ours is somebody else', async () => {
  vi.stubEnv(MARKER_VARIABLE, 'w-outer:1,w-own:2');
  const { port } = await start({ [MARKER_VARIABLE]: 'w-outer:1,w-own:3' });
  expect(findPortOwner(port, 999_999_999)).toBe('foreign');
});

it('a port that somebody shares with us, on another address, is not ours', async () => {
  const { port, group } = await start();
  await listen('127.0.0.2', port);
  expect(findPortOwner(port, group)).toBe('foreign');
});

it('a port that nobody listens on is nobody’s', async () => {
  const port = await listen();
  await new Promise(resolve => servers.pop()?.close(resolve));
  expect(findPortOwner(port, process.pid)).toBe('nobody');
});

it('without /proc nobody can tell', async () => {
  const { port, group } = await start();
  useProcessTable('ps');
  expect(findPortOwner(port, group)).toBe('unseen');
});
