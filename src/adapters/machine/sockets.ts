import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import type { Sockets } from '../../ports/index.ts';

/**
 * Looks who listens on this machine. A project is known by its machine and its state directory: databases and
 * containers of two clones, or of two machines that share a server, must not have the same name.
 */
export function createSockets(machine: string, stateDir: string): Sockets {
  const hash = createHash('sha256').update(`${machine} ${stateDir}`).digest('hex');
  return {
    project: `h${hash.slice(0, 8)}`,
    findTaken: async ports => {
      const taken = await Promise.all(ports.map(isTaken));
      return ports.filter((_, at) => taken[at]);
    },
  };
}

/** Not every system refuses a wildcard address where somebody listens on the loopback alone. */
const ADDRESSES = ['0.0.0.0', '::', '127.0.0.1', '::1'];

async function isTaken(port: number): Promise<boolean> {
  for (const host of ADDRESSES) if (!(await canListen(port, host))) return true;
  return false;
}

/** A machine without such an address has nobody listening on it. */
const NO_ADDRESS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(NO_ADDRESS.has(error.code ?? '')));
    server.listen({ port, host, exclusive: true, ipv6Only: host.includes(':') }, () =>
      server.close(() => resolve(true)),
    );
  });
}
