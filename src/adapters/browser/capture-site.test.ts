import { createSocket } from 'node:dgram';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { SITE_LIMITS, type SiteLimits } from '../../core/site/site-limits.ts';
import { captureSite } from './capture-site.ts';
import { type FoundBrowser, findBrowser } from './find-browser.ts';

const found = findBrowser(join(import.meta.dirname, '../../../test/agents'));
const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

type Site = Readonly<
  Record<string, string | ((request: IncomingMessage, response: ServerResponse) => unknown)>
>;

/** A site on this machine by path, and every connection and request that it got. */
async function serve(site: Site) {
  const reached: string[] = [];
  const server = createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`);
    const page = site[request.url ?? ''];
    response.setHeader('content-type', request.url === '/robots.txt' ? 'text/plain' : 'text/html');
    if (page === undefined) response.writeHead(404).end('not here');
    else if (typeof page === 'string') response.end(page);
    else page(request, response);
  });
  server.on('connection', () => reached.push('connection'));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  open.push(async () => {
    server.closeAllConnections();
    await new Promise(done => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  const udp = createSocket('udp4', () => reached.push('udp'));
  await new Promise<void>(done => udp.bind(port, '127.0.0.1', done));
  open.push(async () => {
    udp.close();
  });
  return { reached, port, url: `http://127.0.0.1:${port}` };
}

const SMALL = { viewports: [{ width: 400, height: 300 }] };

function look(
  site: { readonly port: number; readonly url: string },
  limits: Partial<SiteLimits> = {},
  signal = new AbortController().signal,
) {
  return captureSite(found as FoundBrowser, {
    url: new URL(site.url),
    allowed: { host: '127.0.0.1', port: site.port },
    limits: { ...SITE_LIMITS, ...SMALL, ...limits },
    signal,
  });
}

/** Every way of a page to name an address. */
const getReaching = (port: number) => `<h1>Here</h1>
<a href="/redirect">on</a><a href="/moved">on</a>
<img src="http://127.0.0.1:${port}/image"><img src="/redirect">
<img src="http://localhost:${port}/name"><img src="http://[::1]:${port}/six"><img src="http://2130706433:${port}/number">
<iframe src="http://127.0.0.1:${port}/frame"></iframe><link rel="preconnect" href="http://127.0.0.1:${port}">
<script>
  for (const host of ['127.0.0.1', 'localhost']) new WebSocket('ws://' + host + ':${port}/socket');
  fetch('http://127.0.0.1:${port}/fetch', { mode: 'no-cors' }).catch(() => 0);
  fetch('/redirect').catch(() => 0);
  fetch('/post', { method: 'POST', body: 'x' }).catch(() => 0);
  navigator.sendBeacon('http://127.0.0.1:${port}/beacon', 'x');
  navigator.serviceWorker?.register('/worker.js').catch(() => 0);
  new Worker(URL.createObjectURL(new Blob(['fetch("http://127.0.0.1:${port}/worker")'])));
  const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] });
  peer.createDataChannel('x');
  peer.createOffer().then(offer => peer.setLocalDescription(offer));
  window.open('http://127.0.0.1:${port}/popup');
</script>`;

it('a page that may not be opened is refused before there is a browser, and nothing reaches it', async () => {
  const site = await serve({ '/': 'inside' });
  const none = { entry: '/nowhere', program: '/nowhere', version: '' };
  const request = { allowed: null, limits: SITE_LIMITS, signal: new AbortController().signal };
  const url = new URL(site.url);
  await expect(captureSite(none, { ...request, url })).rejects.toMatchObject({
    code: 'usage',
    details: { fix: `if that host is yours: --allow-private ${url.host}` },
  });
  expect(site.reached).toEqual([]);
});

it('nothing is opened once all of its time is over', async () => {
  const site = await serve({ '/robots.txt': () => undefined });
  const none = { entry: '/nowhere', program: '/nowhere', version: '' };
  const limits = { ...SITE_LIMITS, allMs: 0 };
  const allowed = { host: '127.0.0.1', port: site.port };
  const request = { url: new URL(site.url), allowed, limits, signal: new AbortController().signal };
  await expect(captureSite(none, request)).rejects.toThrow(/nothing was seen of .*\n.*the 0 s are over/);
});

describe.skipIf(typeof found === 'string')(
  `a site in a real browser${typeof found === 'string' ? ` (${found})` : ''}`,
  { timeout: 90_000 },
  () => {
    it('is read page by page, breadth first, as robots.txt allows', async () => {
      const site = await serve({
        '/robots.txt': 'User-agent: *\nDisallow: /secret\n',
        '/': `<title>Shop</title><main><h1>Hello</h1></main><nav aria-label="Top"><a href="/a">A</a><a href="/secret">S</a>
          <a href="/b#part">B</a><a href="https://elsewhere.example/">E</a><a href="/gone">G</a></nav>
          <form name="search"><input placeholder="Query"><button>Go</button></form><h2 hidden>unseen</h2>`,
        '/a': '<h1>A</h1><a href="/deep">deep</a>',
        '/b': '<h1>B</h1>',
        '/deep': '<h1>Deep</h1>',
      });
      const { pages, left } = await look(site, { pages: 3 });
      expect(pages.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/a', '/b']);
      const [start] = pages;
      expect(start?.facts).toMatchObject({
        title: 'Shop',
        headings: [{ level: 1, text: 'Hello' }],
        controls: [
          { kind: 'input text', text: 'Query' },
          { kind: 'button', text: 'Go' },
        ],
        forms: [{ name: 'search', fields: ['input text Query', 'button Go'] }],
        landmarks: [
          { kind: 'main', text: '' },
          { kind: 'nav', text: 'Top' },
        ],
      });
      expect(String.fromCharCode(...(start?.screenshots[0]?.png.subarray(1, 4) ?? []))).toBe('PNG');
      expect(left).toEqual([
        { what: `${site.url}/secret`, why: 'robots.txt does not allow it' },
        { what: '2 more pages of the site', why: 'no more than 3 are looked at' },
      ]);
      expect(site.reached).not.toContain('GET /secret');
    });

    it('reaches nothing private but itself, whatever way its page takes', async () => {
      const inside = await serve({ '/': 'inside' });
      const site = await serve({
        '/': getReaching(inside.port),
        '/redirect': (_, response) =>
          response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/hop` }).end(),
        '/moved': `<script>location = 'http://127.0.0.1:${inside.port}/script'</script>moved`,
      });
      const { pages, left } = await look(site);
      expect(pages[0]?.facts.headings).toEqual([{ level: 1, text: 'Here' }]);
      expect(inside.reached).toEqual([]);
      expect(site.reached.filter(line => /^POST|worker/.test(line))).toEqual([]);
      const said = left.map(({ what, why }) => `${what}: ${why}`).join('\n');
      expect(said).toContain(`127.0.0.1:${inside.port}: 127.0.0.1 is a private address`);
      expect(said).toContain(`localhost:${inside.port}: `);
      expect(said).toMatch(/\d POST requests of .*: only GET and HEAD are sent/);
    });

    it('has an end where its page has none: scripts, answers, links, waiting', async () => {
      const site = await serve({
        '/': `<h1>Start</h1><a href="/loop">1</a><a href="/huge">2</a><a href="/long">3</a><a href="/silent">4</a>`,
        '/loop': '<h1>Loop</h1><script>for (;;);</script>',
        '/huge': (_, response) => response.end(`<h1>Huge</h1>${'x'.repeat(3_000_000)}`),
        '/long': `<h1>Long</h1>${'<a href="/x"><button>b</button></a><h2>h</h2><p>words words</p>'.repeat(5_000)}`,
        '/silent': () => undefined,
      });
      const limits = { openMs: 6_000, pageMs: 20_000, answerBytes: 2_000_000 };
      const { pages, left } = await look(site, limits);
      const paths = pages.map(({ url }) => new URL(url).pathname);
      expect(paths).toContain('/');
      expect(paths).not.toContain('/loop');
      expect(paths).not.toContain('/silent');
      const { facts } = pages.find(({ url }) => url.endsWith('/long')) ?? {};
      expect(facts?.links).toHaveLength(140);
      expect(facts?.headings).toHaveLength(80);
      expect(facts?.controls).toHaveLength(120);
      expect(facts?.text).toHaveLength(12_000);
      expect(left.map(({ why }) => why).join('\n')).toContain('an answer is larger than 2 MB');
    });

    it('ends for a page whose script begins to run for ever once it is there', async () => {
      const site = await serve({
        '/': '<h1>Start</h1><a href="/late">1</a>',
        '/late': '<h1>Late</h1><script>onload = () => setTimeout(() => { for (;;); })</script>',
      });
      const { pages, left } = await look(site, { openMs: 600_000, pageMs: 10_000 });
      expect(pages.map(({ url }) => new URL(url).pathname)).toEqual(['/']);
      expect(left).toEqual([{ what: `${site.url}/late`, why: 'not seen within 10 s' }]);
    });

    it('keeps no page that a redirect leads to and robots.txt closes, and none twice', async () => {
      const to = (location: string) => (_: IncomingMessage, response: ServerResponse) =>
        response.writeHead(302, { location }).end();
      const site = await serve({
        '/robots.txt': 'User-agent: *\nDisallow: /secret',
        '/': '<a href="/go">1</a><a href="/back">2</a>',
        '/go': to('/secret'),
        '/back': to('/'),
        '/secret': '<h1>Secret</h1>',
      });
      const { pages, left } = await look(site);
      expect(pages.map(({ url }) => new URL(url).pathname)).toEqual(['/']);
      expect(left).toEqual([
        { what: `${site.url}/go`, why: `it leads to ${site.url}/secret: robots.txt does not allow it` },
        { what: `${site.url}/back`, why: `it leads to a page that was seen: ${site.url}/` },
      ]);
    });

    it('ends when everything that may be read has been read, with what was seen', async () => {
      const site = await serve({
        '/': `<h1>Start</h1><a href="/huge">1</a><a href="/b">2</a>`,
        '/huge': (_, response) => response.end(`<h1>Huge</h1>${'x'.repeat(3_000_000)}`),
        '/b': 'b',
      });
      const { pages, left } = await look(site, { openMs: 6_000, allBytes: 1_000_000 });
      expect(pages.map(({ url }) => new URL(url).pathname)).toEqual(['/']);
      expect(left.map(({ why }) => why)).toContain('everything that may be read has been read');
      expect(site.reached).not.toContain('GET /b');
    });

    it('ends when somebody says so', async () => {
      const stop = new AbortController();
      const site = await serve({ '/': () => stop.abort() });
      await expect(look(site, {}, stop.signal)).rejects.toThrow(/aborted/);
    });

    it('that robots.txt closes, or that gives none, is not opened', async () => {
      const closed = await serve({ '/robots.txt': 'User-agent: *\nDisallow: /', '/': 'x' });
      await expect(look(closed)).rejects.toThrow(/robots.txt does not allow it/);
      const broken = await serve({ '/robots.txt': (_, response) => response.writeHead(500).end(), '/': 'x' });
      await expect(look(broken)).rejects.toMatchObject({ code: 'environment' });
      expect([...closed.reached, ...broken.reached]).not.toContain('GET /');
    });
  },
);
