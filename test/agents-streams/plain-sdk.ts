import type { AcpCall, AcpClient, AcpSdk } from '../../src/adapters/agents/acp/sdk.ts';
import type { Fields } from '../../src/core/base/json.ts';

/** Stands in for the ACP SDK where it is not installed: requests, answers and notifications, nothing more. */
export const plainSdk: AcpSdk = {
  client: () => createClient(),
  RequestError: { methodNotFound: method => new Error(`no ${method}`) },
};

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

function createClient(): AcpClient {
  let onNotification: (call: AcpCall) => void = () => undefined;
  const client: AcpClient = {
    onRequest: () => client,
    onNotification: (_, handler) => {
      onNotification = handler;
      return client;
    },
    connect: ({ readable, writable }) => {
      const pending = new Map<unknown, Pending>();
      const writer = writable.getWriter();
      let id = 0;
      const hear = (message: Fields): void => {
        const { method, params } = message;
        if (typeof method === 'string') onNotification({ method, params });
        else if ('error' in message) pending.get(message.id)?.reject(message.error);
        else pending.get(message.id)?.resolve(message.result);
      };
      const fail = (error: unknown): void => {
        for (const { reject } of pending.values()) reject(error);
      };
      readAll(readable, hear).then(() => fail(new Error('closed')), fail);
      return {
        agent: {
          request: (method, params) =>
            new Promise((resolve, reject) => {
              pending.set(id, { resolve, reject });
              writer.write({ jsonrpc: '2.0', id: id++, method, params }).catch(reject);
            }),
          notify: (method, params) => writer.write({ jsonrpc: '2.0', method, params }),
        },
        close: () => fail(new Error('closed')),
      };
    },
  };
  return client;
}

async function readAll(readable: ReadableStream<Fields>, hear: (message: Fields) => void): Promise<void> {
  const reader = readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    hear(value);
  }
}
