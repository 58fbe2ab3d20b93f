import { type IncomingMessage, request } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { getErrorMessage } from '../../core/base/failure.ts';
import { parseRobots, type RobotsRules } from '../../core/site/robots.ts';
import type { SiteLimits } from '../../core/site/site-limits.ts';
import { getHost, getPort, readSiteUrl } from '../../core/site/site-url.ts';
import { RefusedAddress } from './connect-checked.ts';

/** The name that robots.txt may have rules for. */
export const ROBOTS_AGENT = 'harness-capture';

const MAX_HOPS = 5;

export interface RobotsOptions {
  readonly connect: (host: string, port: number) => Promise<Socket>;
  readonly limits: Pick<SiteLimits, 'robotsBytes' | 'robotsMs'>;
  readonly signal: AbortSignal;
}

/** What the site asks of robots, or why nobody knows: then no page is opened. Throws where the address is refused. */
export async function readRobots(origin: string, options: RobotsOptions): Promise<RobotsRules | string> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.limits.robotsMs)]);
  try {
    let url = new URL('/robots.txt', origin);
    for (let hop = 0; hop <= MAX_HOPS; hop++) {
      const { status, location, text } = await readText(url, options, signal);
      if (status >= 500) return `${url.href} answers with ${status}`;
      if (status >= 300 && status < 400 && location !== null) {
        const next = URL.canParse(location, url.href)
          ? readSiteUrl(new URL(location, url).href)
          : 'it is no URL';
        if (typeof next === 'string') return `${url.href} leads to ${location}: ${next}`;
        url = next;
        continue;
      }
      return status === 200 ? parseRobots(text, ROBOTS_AGENT) : [];
    }
    return `${url.href} leads on and on`;
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof RefusedAddress) throw error;
    return `robots.txt of ${origin} cannot be read: ${signal.aborted ? `no answer within ${options.limits.robotsMs / 1000} s` : getErrorMessage(error)}`;
  }
}

interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
}

async function readText(url: URL, { connect, limits }: RobotsOptions, signal: AbortSignal): Promise<Answer> {
  const host = getHost(url);
  const socket = await connect(host, getPort(url));
  const stop = () => socket.destroy();
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    const stream = url.protocol === 'https:' ? getTls(socket, host) : socket;
    const answer = await ask(url, stream);
    const text = await readStart(answer, limits.robotsBytes);
    return { status: answer.statusCode ?? 0, location: answer.headers.location ?? null, text };
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

function getTls(socket: Socket, host: string): Duplex {
  return connectTls({ socket, ...(isIP(host) ? { host } : { servername: host }) });
}

function ask(url: URL, stream: Duplex): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const asked = request({
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        'user-agent': ROBOTS_AGENT,
        'accept-encoding': 'identity',
        connection: 'close',
      },
      createConnection: () => stream,
    });
    asked.on('response', done);
    asked.on('error', fail);
    asked.end();
  });
}

/** What is beyond the limit says nothing. */
async function readStart(answer: IncomingMessage, max: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= max) break;
  }
  return Buffer.concat(chunks).subarray(0, max).toString('utf8');
}
