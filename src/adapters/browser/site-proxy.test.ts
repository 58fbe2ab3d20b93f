import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { SITE_LIMITS } from '../../core/site/site-limits.ts';
import { readRobots } from './read-robots.ts';
import { openSiteProxy, type SiteProxy, type SiteProxyOptions } from './site-proxy.ts';

const PASSWORD = 'only-ours';
const AUTH = `Basic ${Buffer.from(`harness:${PASSWORD}`).toString('base64')}`;
const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A server on this machine, and everything that reached it, sockets too. */
async function serve(answer: Parameters<typeof createServer>[1] = (_, response) => response.end('inside')) {
  const reached: string[] = [];
  const server: Server = createServer((asked, response) => {
    reached.push(`${asked.method} ${asked.url}`);
    if (typeof answer === 'function') answer(asked, response);
  });
  server.on('connection', () => reached.push('connection'));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  open.push(async () => {
    server.closeAllConnections();
    await new Promise(done => server.close(done));
  });
  return { reached, port: (server.address() as AddressInfo).port };
}

async function openProxy(options: Partial<SiteProxyOptions> = {}): Promise<SiteProxy> {
  const { answerBytes, allBytes, openMs: idleMs } = SITE_LIMITS;
  const proxy = await openSiteProxy({
    ...{ allowed: null, password: PASSWORD, answerBytes, allBytes, idleMs },
    ...options,
  });
  open.push(proxy.close);
  return proxy;
}

function ask(
  proxy: SiteProxy,
  path: string,
  { method = 'GET', auth = AUTH }: { readonly method?: string; readonly auth?: string } = {},
): Promise<{ status: number; text: string; location: string | undefined }> {
  return new Promise((done, fail) => {
    const headers = { 'proxy-authorization': auth };
    const asked = request(proxy.server, { method, path, headers, agent: false }, answer => {
      let text = '';
      answer.on('data', chunk => {
        text += String(chunk);
      });
      answer.on('error', fail);
      answer.on('end', () =>
        done({ status: answer.statusCode ?? 0, text, location: answer.headers.location }),
      );
    });
    asked.on('error', fail);
    asked.end();
  });
}

/** What is answered to `CONNECT`, and to what is said after it. */
function tunnel(proxy: SiteProxy, target: string, say = '', auth = AUTH): Promise<string> {
  return new Promise(done => {
    const socket = connect(Number(new URL(proxy.server).port), '127.0.0.1');
    let text = '';
    socket.on('data', chunk => {
      if (text === '') socket.write(say);
      text += String(chunk);
    });
    socket.on('close', () => done(text));
    socket.on('error', () => undefined);
    socket.write(`CONNECT ${target} HTTP/1.1\r\nProxy-Authorization: ${auth}\r\n\r\n`);
  });
}

const UPGRADE = 'GET /socket HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n';

describe('a private server', () => {
  it.each(['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '0.0.0.0', 'LOCALHOST.'])(
    'is not reached as %s, neither by a request nor by a tunnel or a WebSocket',
    async host => {
      const { reached, port } = await serve();
      const proxy = await openProxy();
      expect((await ask(proxy, `http://${host}:${port}/`)).status).toBe(502);
      expect(await tunnel(proxy, `${host}:${port}`, UPGRADE)).toMatch(/^HTTP\/1.1 502 /);
      expect(reached).toEqual([]);
      expect(
        proxy
          .getRefused()
          .map(({ why }) => why)
          .join(),
      ).toMatch(/is a private address/);
    },
  );

  it('is not reached by a name of which one address is public', async () => {
    const { reached, port } = await serve();
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const proxy = await openProxy({ resolve });
    expect((await ask(proxy, `http://twice.example:${port}/`)).status).toBe(502);
    expect(reached).toEqual([]);
  });

  it('is asked for its name once: what was checked is what is connected to', async () => {
    const mine = await serve();
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const proxy = await openProxy({ allowed: { host: 'mine.example', port: mine.port }, resolve });
    expect((await ask(proxy, `http://mine.example:${mine.port}/`)).status).toBe(200);
    expect(asked).toEqual(['mine.example']);
  });

  it('is reached where it is allowed, and on no other port', async () => {
    const mine = await serve((_, response) => response.writeHead(302, { location: '/on' }).end('mine'));
    const other = await serve();
    const proxy = await openProxy({ allowed: { host: '127.0.0.1', port: mine.port } });
    expect(await ask(proxy, `http://127.0.0.1:${mine.port}/a?b`)).toEqual({
      ...{ status: 302, text: 'mine', location: '/on' },
    });
    expect(await tunnel(proxy, `127.0.0.1:${mine.port}`, UPGRADE)).toMatch(/^HTTP\/1.1 200 [\s\S]*mine/);
    expect(mine.reached.filter(line => line !== 'connection')).toEqual(['GET /a?b', 'GET /socket']);
    expect((await ask(proxy, `http://127.0.0.1:${other.port}/`)).status).toBe(502);
    expect(other.reached).toEqual([]);
  });

  it('is not reached when robots.txt leads there', async () => {
    const inside = await serve();
    const mine = await serve((_, response) =>
      response.writeHead(301, { location: `http://127.0.0.1:${inside.port}/robots.txt` }).end(),
    );
    const { connect: go } = await openProxy({ allowed: { host: '127.0.0.1', port: mine.port } });
    const options = { connect: go, limits: SITE_LIMITS, signal: new AbortController().signal };
    await expect(readRobots(`http://127.0.0.1:${mine.port}`, options)).rejects.toThrow(/private address/);
    expect(inside.reached).toEqual([]);
  });
});

describe('the proxy', () => {
  it('serves nobody without its password', async () => {
    const { reached, port } = await serve();
    const proxy = await openProxy({ allowed: { host: '127.0.0.1', port } });
    expect((await ask(proxy, `http://127.0.0.1:${port}/`, { auth: 'Basic x' })).status).toBe(407);
    expect(await tunnel(proxy, `127.0.0.1:${port}`, '', 'Basic x')).toMatch(/^HTTP\/1.1 407 /);
    expect(reached).toEqual([]);
  });

  it('goes nowhere for what the browser asks for its own sake', async () => {
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const proxy = await openProxy({ resolve });
    await tunnel(proxy, 'content-autofill.googleapis.com:443');
    await tunnel(proxy, 'fonts.googleapis.com:443');
    expect([asked, proxy.getRefused().length]).toEqual([['fonts.googleapis.com'], 1]);
  });

  it('sends GET and HEAD only, and opens no address that is none', async () => {
    const { reached, port } = await serve();
    const proxy = await openProxy({ allowed: { host: '127.0.0.1', port } });
    expect((await ask(proxy, `http://127.0.0.1:${port}/`, { method: 'HEAD' })).status).toBe(200);
    expect((await ask(proxy, `http://127.0.0.1:${port}/`, { method: 'POST' })).status).toBe(502);
    for (const path of ['/', 'file:///etc/passwd', `http://me@127.0.0.1:${port}/`])
      expect((await ask(proxy, path)).status).toBe(400);
    expect(reached.filter(line => line !== 'connection')).toEqual(['HEAD /']);
    expect(proxy.getRefused()).toEqual([{ what: `127.0.0.1:${port}`, why: 'POST is not sent' }]);
  });

  it('cuts an answer that is too large, and everything when it was too much in all', async () => {
    const { port } = await serve((_, response) => response.end('x'.repeat(600_000)));
    const allowed = { host: '127.0.0.1', port };
    const url = `http://127.0.0.1:${port}/`;
    const small = await openProxy({ allowed, answerBytes: 50_000 });
    await expect(ask(small, url)).rejects.toThrow();
    expect((await tunnel(small, `127.0.0.1:${port}`, UPGRADE)).length).toBeLessThan(600_000);
    expect([small.isSpent(), small.getRefused()[0]?.why]).toEqual([
      false,
      'an answer is larger than 50000 bytes (2 times)',
    ]);
    const all = await openProxy({ allowed, allBytes: 1_000_000 });
    expect((await ask(all, url)).text).toHaveLength(600_000);
    await expect(ask(all, url)).rejects.toThrow();
    expect([all.isSpent(), (await ask(all, url)).status]).toEqual([true, 502]);
  });
});

describe('robots.txt', () => {
  async function read(answer: Parameters<typeof createServer>[1], robotsMs = SITE_LIMITS.robotsMs) {
    const { port } = await serve(answer);
    const { connect: go } = await openProxy({ allowed: { host: '127.0.0.1', port } });
    const limits = { ...SITE_LIMITS, robotsMs };
    return readRobots(`http://127.0.0.1:${port}`, {
      ...{ connect: go, limits, signal: new AbortController().signal },
    });
  }

  it('that is not there allows everything; a server that fails, or says nothing, allows nothing', async () => {
    expect(await read((_, response) => response.writeHead(404).end('Disallow: /'))).toEqual([]);
    expect(await read((_, response) => response.writeHead(503).end())).toMatch(/answers with 503/);
    expect(await read(() => undefined, 200)).toMatch(/no answer within/);
    expect(await read((_, response) => response.writeHead(302, { location: '/again' }).end())).toMatch(
      /leads on and on/,
    );
  });

  it('is read up to its limit', async () => {
    const text = `User-agent: *\nDisallow: /a\n${'#'.repeat(SITE_LIMITS.robotsBytes)}\nDisallow: /b\n`;
    expect(await read((_, response) => response.end(text))).toEqual([{ allows: false, path: '/a' }]);
  });
});
