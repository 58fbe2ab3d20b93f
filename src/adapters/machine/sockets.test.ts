import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createSockets } from './sockets.ts';

const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => new Promise(resolve => server.close(resolve))));
});

async function listen(host: string): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, host, resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return address.port;
}

describe('a port', () => {
  const sockets = createSockets('m-1', '/p/.harness');

  it('is taken where somebody listens on the loopback alone', async () => {
    const port = await listen('127.0.0.1');
    expect(await sockets.findTaken([port])).toEqual([port]);
  });

  it('is free again when nobody listens any more, and looking leaves nothing behind', async () => {
    const port = await listen('127.0.0.1');
    await new Promise(resolve => servers.pop()?.close(resolve));
    expect(await sockets.findTaken([port])).toEqual([]);
    expect(await sockets.findTaken([port])).toEqual([]);
  });
});

it('a project has a name of its own on each machine and in each clone', () => {
  const names = [
    ['m-1', '/a'],
    ['m-1', '/b'],
    ['m-2', '/a'],
  ].map(([machine = '', dir = '']) => createSockets(machine, dir).project);
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^h[0-9a-f]{8}$/);
  expect(createSockets('m-1', '/a').project).toBe(names[0]);
});
