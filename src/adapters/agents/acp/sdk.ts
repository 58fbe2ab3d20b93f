import type { Fields } from '../../../core/base/json.ts';

/** The part of the ACP SDK that is used; the package itself is there only where people installed it. */
export interface AcpSdk {
  client(options: { readonly name: string }): AcpClient;
  readonly RequestError: { methodNotFound(method: string): Error };
}

/** `*` hears what has no handler of its own, unparsed: agents differ in what they add to the protocol. */
export interface AcpClient {
  onRequest(method: '*', handler: (context: AcpCall) => Promise<unknown>): AcpClient;
  onNotification(method: '*', handler: (context: AcpCall) => void): AcpClient;
  connect(stream: AcpStream): AcpConnection;
}

export interface AcpCall {
  readonly method: string;
  readonly params: unknown;
}

/** Messages, already parsed, in both directions. */
export interface AcpStream {
  readonly readable: ReadableStream<Fields>;
  readonly writable: WritableStream<Fields>;
}

export interface AcpConnection {
  readonly agent: {
    request(method: string, params: unknown): Promise<unknown>;
    notify(method: string, params: unknown): Promise<void>;
  };
  close(error?: unknown): void;
}
