import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a client and a server, and does what networks do. */
export interface CuttingProxy {
  readonly port: number;
  /** Cuts the connection as soon as the server answers something that has this text: it is done, and nobody hears of it. */
  cutAnswer(text: string): void;
  /** How many answers were cut. */
  cuts(): number;
  /** From now on nothing comes back, and no connection ends: half open. */
  swallow(isOn: boolean): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(toPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let marked: string | null = null;
  let cuts = 0;
  let isSwallowing = false;
  const server: Server = createServer(client => {
    const upstream = connect(toPort, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.on('data', data => void upstream.write(data)).on('close', () => upstream.end());
    upstream.on('close', () => client.destroy());
    upstream.on('data', data => {
      if (isSwallowing) return;
      if (marked !== null && data.includes(marked)) {
        marked = null;
        cuts++;
        client.destroy();
      } else client.write(data);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cutAnswer: text => {
      marked = text;
    },
    cuts: () => cuts,
    swallow: isOn => {
      isSwallowing = isOn;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}
