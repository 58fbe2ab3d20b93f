import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { anthropic, getTokenCount } from './anthropic.ts';
import type { ModelApi } from './api.ts';
import { playFault, startStream } from './faults.ts';
import { responses } from './responses.ts';
import { AFTER_THE_END, createScript, type LoggedRequest, type Turn } from './script.ts';

/** A model on loopback that says what the script says, so that real agents can be driven for nothing. */
export interface ModelServer {
  /** Without a trailing slash and without `/v1`. */
  readonly url: string;
  /** Every request to a model so far, oldest first; side requests are among them. */
  readonly requests: readonly LoggedRequest[];
  /** Starts a new script and forgets the requests of the last one. */
  play(turns: readonly Turn[]): void;
  /** Turns that nobody has asked for yet. */
  left(): number;
  /** Resolves once a request (side requests apart) number `count` has come in. */
  waitForRequest(count: number): Promise<LoggedRequest>;
  close(): Promise<void>;
}

const APIS: readonly ModelApi[] = [anthropic, responses];

export async function startModelServer(turns: readonly Turn[] = []): Promise<ModelServer> {
  let script = createScript(turns);
  let requests: LoggedRequest[] = [];
  let served = 0;

  async function answer(api: ModelApi, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await readJson(req);
    const view = api.read(body);
    const taken = view.isSide ? null : script.take(view);
    const { headers, url: path = '' } = req;
    requests.push({ ...view, path, headers, body, turn: taken?.index ?? null });
    const turn = taken?.turn ?? AFTER_THE_END;
    if (turn.delayMs) await sleep(turn.delayMs, undefined, { ref: false });
    const frames = api.getFrames(turn, view, `${++served}`);
    if (turn.fault) return playFault(turn.fault, api, frames, res);
    if (view.wantsWhole && api.getWhole) return sendJson(res, 200, api.getWhole(turn, view, `${served}`));
    startStream(res);
    res.end(frames.join(''));
  }

  const server = createServer((req, res) => {
    route(req, res, answer).catch(() => res.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    play: next => {
      script = createScript(next);
      requests = [];
    },
    left: () => script.left(),
    waitForRequest: async count => {
      for (;;) {
        const found = requests.filter(request => !request.isSide)[count - 1];
        if (found) return found;
        await sleep(10);
      }
    },
    close: async () => {
      const closed = new Promise(resolve => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function route(
  req: IncomingMessage,
  res: ServerResponse,
  answer: (api: ModelApi, req: IncomingMessage, res: ServerResponse) => Promise<void>,
): Promise<void> {
  const { pathname } = new URL(req.url ?? '/', 'http://loopback');
  const api = APIS.find(({ path }) => path === pathname);
  if (req.method === 'POST' && api) return await answer(api, req, res);
  const isCount = req.method === 'POST' && pathname === `${anthropic.path}/count_tokens`;
  if (isCount) sendJson(res, 200, getTokenCount(await readJson(req)));
  else sendJson(res, 404, {});
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

async function readJson(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
