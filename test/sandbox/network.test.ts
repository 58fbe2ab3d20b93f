import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBwrap, LOOT, openStage, type Stage } from './stage.ts';

const ABSTRACT = `\0harness-stage-${process.pid}`;

/** The sockets of most services are in /run; only root can put one there to try it. */
const canUseRun = process.getuid?.() === 0 && existsSync('/run');

/** Says what it hears from the address given as JSON in $TO. */
const CONNECT = `node -e '
  const socket = require("net").connect(JSON.parse(process.env.TO));
  socket.setTimeout(1500, () => { console.log("silence"); process.exit(); });
  socket.on("error", error => console.log(error.code));
  socket.on("data", data => console.log(String(data)));
'`;

describe.skipIf(!hasBwrap)('an agent without network', () => {
  let stage: Stage;
  let online: Stage;
  const servers: Server[] = [];
  let port = 0;

  async function listen(where: string | number): Promise<Server> {
    if (typeof where === 'string' && where.startsWith('/')) mkdirSync(dirname(where), { recursive: true });
    const server = createServer(socket => socket.end(`${LOOT} service`));
    await new Promise<void>(resolve =>
      typeof where === 'number' ? server.listen(where, '127.0.0.1', resolve) : server.listen(where, resolve),
    );
    servers.push(server);
    return server;
  }

  beforeAll(async () => {
    online = await openStage();
    stage = await openStage('sandbox: { network: "off" }\n');
    port = ((await listen(0)).address() as AddressInfo).port;
    for (const path of getSockets()) await listen(path);
    await listen(ABSTRACT);
  });
  afterAll(async () => {
    for (const server of servers) await new Promise(resolve => server.close(resolve));
    for (const dir of ['/tmp/ssh-harness-stage', '/run/harness-stage'])
      rmSync(dir, { recursive: true, force: true });
    stage.close();
    online.close();
  });

  const getSockets = () => [
    join(stage.home, '.docker/run/docker.sock'),
    join(stage.home, '.gnupg/S.gpg-agent'),
    join(stage.home, 'agent.sock'),
    '/tmp/ssh-harness-stage/agent.1',
    ...(canUseRun ? ['/run/harness-stage/docker.sock'] : []),
  ];
  const connect = (where: Stage, to: object) => where.attack(CONNECT, { env: { TO: JSON.stringify(to) } });

  it('cannot reach a port of the machine, such as the control port', async () => {
    const to = { host: '127.0.0.1', port };
    expect((await connect(online, to)).stdout).toContain(LOOT);
    expect((await connect(stage, to)).stdout).toBe('ECONNREFUSED\n');
  });

  it('cannot reach a port of the machine by another of its addresses', async () => {
    for (const host of ['127.1.2.3', '0.0.0.0', '::1', 'localhost', '::ffff:127.0.0.1']) {
      expect((await connect(stage, { host, port })).stdout).not.toContain(LOOT);
    }
  });

  it('cannot reach a socket that has a name but no file', async () => {
    expect((await connect(online, { path: ABSTRACT })).stdout).toContain(LOOT);
    expect((await connect(stage, { path: ABSTRACT })).stdout).not.toContain(LOOT);
  });

  it.each(canUseRun ? [0, 1, 2, 3, 4] : [0, 1, 2, 3])(
    'cannot reach the socket of a service, with or without network (%i)',
    async index => {
      const path = getSockets()[index] ?? '';
      expect(
        (await stage.attackFreely(CONNECT.replace('process.env.TO', `\`${JSON.stringify({ path })}\``)))
          .stdout,
      ).toContain(LOOT);
      expect((await connect(stage, { path })).stdout).not.toContain(LOOT);
      expect((await connect(online, { path })).stdout).not.toContain(LOOT);
    },
  );

  it('has no way out at all', async () => {
    const { stdout } = await stage.attack(
      'cat /proc/net/dev | tail -n +3 | cut -d: -f1; wc -l < /proc/net/route',
    );
    expect(stdout.split('\n').map(line => line.trim())).toEqual(['lo', '1', '']);
  });

  it('can still talk to a server of its own', async () => {
    const { stdout } = await stage.attack(`node -e '
      const server = require("http").createServer((_, reply) => reply.end("pong")).listen(0, "127.0.0.1", async () => {
        const reply = await fetch("http://localhost:" + server.address().port);
        console.log(await reply.text());
        server.close();
        process.exit();
      });'`);
    expect(stdout).toBe('pong\n');
  });
});
