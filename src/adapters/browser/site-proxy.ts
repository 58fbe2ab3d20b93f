import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getErrorMessage } from '../../core/base/failure.ts';
import type { LeftOut } from '../../core/site/site-spec.ts';
import { type AllowedHost, getHost, getPort, readSiteUrl } from '../../core/site/site-url.ts';
import { connectChecked, RefusedAddress, type Resolve } from './connect-checked.ts';

export interface SiteProxyOptions {
  readonly allowed: AllowedHost | null;
  /** Only who has it is served: neither other programs here, nor what the browser asks for its own sake. */
  readonly password: string;
  readonly answerBytes: number;
  readonly allBytes: number;
  /** Without an answer for this long, a connection is over. */
  readonly idleMs: number;
  readonly resolve?: Resolve;
}

export interface SiteProxy {
  /** For the browser. */
  readonly server: string;
  readonly username: string;
  /** For ourselves: the same rules. */
  connect(host: string, port: number): Promise<Socket>;
  /** Everything that may be read has been read. */
  isSpent(): boolean;
  getRefused(): readonly LeftOut[];
  close(): Promise<void>;
}

const USERNAME = 'harness';
const MAX_KINDS = 50;
const HOP_HEADERS = ['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'upgrade', 'te'];

const BAD_GATEWAY = 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n';

/** What Chromium asks with a page's own password, and no page asks. */
const BROWSERS_OWN = ['content-autofill.googleapis.com'];

/** The only way out for a browser: a page can name any address, redirect to it or open a socket, and it is asked here. */
export async function openSiteProxy(options: SiteProxyOptions): Promise<SiteProxy> {
  const gate = new Gate(options);
  const server = createServer();
  server.on('request', (request, response) => void gate.pass(request, response));
  server.on('connect', (request, client) => void gate.tunnel(request, client));
  server.on('connection', socket => gate.keep(socket));
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', done);
  });
  return {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    username: USERNAME,
    connect: (host, port) => gate.connect(host, port),
    isSpent: () => gate.isSpent(),
    getRefused: () => gate.getRefused(),
    close: () =>
      new Promise(done => {
        server.close(() => done());
        gate.close();
      }),
  };
}

class Gate {
  private readonly options: SiteProxyOptions;
  private readonly sockets = new Set<Duplex>();
  private readonly refused = new Map<string, LeftOut & { readonly count: number }>();
  private bytes = 0;

  constructor(options: SiteProxyOptions) {
    this.options = options;
  }

  /** A request in the clear. */
  async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.isKnown(request)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="harness"' }).end();
      return;
    }
    const { method = '', url: asked = '' } = request;
    const url = readSiteUrl(asked);
    if (typeof url === 'string' || url.protocol !== 'http:') {
      response.writeHead(400).end();
      return;
    }
    try {
      if (method !== 'GET' && method !== 'HEAD') throw new RefusedAddress(`${method} is not sent`);
      const socket = await this.connect(getHost(url), getPort(url));
      if (response.destroyed) socket.destroy();
      else this.forward(request, response, { url, socket });
    } catch (error) {
      this.refuse(url.host, error);
      response.writeHead(502).end();
    }
  }

  /** TLS and WebSockets: nothing can be read in there, but it is known where it leads and how much comes back. */
  async tunnel(request: IncomingMessage, client: Duplex): Promise<void> {
    client.on('error', () => client.destroy());
    if (!this.isKnown(request)) {
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="harness"\r\nContent-Length: 0\r\n\r\n',
      );
      return;
    }
    const target = request.url ?? '';
    try {
      if (!/^[^/?#@\s]+:\d+$/.test(target)) throw new RefusedAddress('it is no host and port');
      const url = new URL(`http://${target}`);
      if (BROWSERS_OWN.includes(getHost(url))) return void client.end(BAD_GATEWAY);
      const upstream = await this.connect(getHost(url), getPort(url));
      if (client.destroyed) return void upstream.destroy();
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      // Without HTTP/2 an answer is what comes between two things that were asked.
      let answer = 0;
      client.on('data', () => {
        answer = 0;
      });
      upstream.on('data', (chunk: Buffer) => {
        answer += chunk.length;
        this.count(chunk.length, answer, target, upstream);
      });
      client.pipe(upstream);
      upstream.pipe(client);
    } catch (error) {
      this.refuse(target, error);
      client.end(BAD_GATEWAY);
    }
  }

  async connect(host: string, port: number): Promise<Socket> {
    if (this.isSpent()) throw new RefusedAddress('everything that may be read has been read');
    const { allowed, resolve, idleMs } = this.options;
    const socket = await connectChecked(host, port, { allowed, ...(resolve ? { resolve } : {}) });
    this.keep(socket);
    socket.setTimeout(idleMs, () => socket.destroy());
    return socket;
  }

  keep(socket: Duplex): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }

  isSpent(): boolean {
    return this.bytes > this.options.allBytes;
  }

  getRefused(): readonly LeftOut[] {
    return [...this.refused.values()].map(({ what, why, count }) => ({
      what,
      why: count === 1 ? why : `${why} (${count} times)`,
    }));
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private forward(
    request: IncomingMessage,
    response: ServerResponse,
    { url, socket }: { readonly url: URL; readonly socket: Socket },
  ): void {
    const stop = () => {
      socket.destroy();
      response.destroy();
    };
    const upstream = httpRequest({
      method: request.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: {
        ...getPassedOn(request.headers),
        host: url.host,
        // What is packed can be a thousand times what it weighs.
        'accept-encoding': 'identity',
        connection: 'close',
      },
      createConnection: () => socket,
    });
    upstream.on('error', stop);
    upstream.on('response', answer => {
      let bytes = 0;
      try {
        response.writeHead(answer.statusCode ?? 502, getPassedOn(answer.headers));
      } catch {
        return stop();
      }
      answer.on('error', stop);
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (this.count(chunk.length, bytes, url.host, socket)) response.destroy();
      });
      answer.pipe(response);
    });
    response.on('close', () => socket.destroy());
    upstream.end();
  }

  /** Whether that was too much, and the connection is over. */
  private count(more: number, answer: number, what: string, socket: Socket): boolean {
    this.bytes += more;
    const { answerBytes, allBytes } = this.options;
    const isTooMuch = answer > answerBytes || this.bytes > allBytes;
    if (answer > answerBytes)
      this.refuse(what, new RefusedAddress(`an answer is larger than ${getSize(answerBytes)}`));
    else if (isTooMuch) this.refuse(what, new RefusedAddress(`${getSize(allBytes)} in all have been read`));
    if (isTooMuch) socket.destroy();
    return isTooMuch;
  }

  private isKnown({ headers }: IncomingMessage): boolean {
    const wanted = Buffer.from(`${USERNAME}:${this.options.password}`).toString('base64');
    return headers['proxy-authorization'] === `Basic ${wanted}`;
  }

  private refuse(what: string, error: unknown): void {
    const why = error instanceof RefusedAddress ? error.message : `not reached: ${getErrorMessage(error)}`;
    const key = `${what} ${why}`;
    const known = this.refused.get(key);
    if (known || this.refused.size < MAX_KINDS)
      this.refused.set(key, { what, why, count: (known?.count ?? 0) + 1 });
  }
}

/** Without what is between two neighbours only. */
function getPassedOn(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const { 'transfer-encoding': _, ...rest } = headers;
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !HOP_HEADERS.includes(name)));
}

function getSize(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024 / 1024)} MB`;
}
