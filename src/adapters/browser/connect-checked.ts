import { lookup } from 'node:dns/promises';
import { connect, type LookupFunction, type Socket } from 'node:net';
import { isPrivateAddress } from '../../core/site/private-address.ts';
import type { AllowedHost } from '../../core/site/site-url.ts';

/** A host that a page of somebody else's may not reach. */
export class RefusedAddress extends Error {}

/** What a name leads to; asked once for each connection. */
export type Resolve = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

const resolveHost: Resolve = host => lookup(host, { all: true, verbatim: true });

/** Connects to the very addresses that were checked: a name that changes its mind in between gains nothing. */
export async function connectChecked(
  host: string,
  port: number,
  { allowed, resolve = resolveHost }: { readonly allowed: AllowedHost | null; readonly resolve?: Resolve },
): Promise<Socket> {
  const addresses = await resolve(host);
  const isAllowed = allowed?.host === host && allowed.port === port;
  const bad = addresses.find(({ address }) => isPrivateAddress(address));
  if (bad && !isAllowed) throw new RefusedAddress(`${bad.address} is a private address`);
  const getChecked: LookupFunction = (_, __, answer) => answer(null, [...addresses]);
  return new Promise((done, fail) => {
    const socket = connect({ host, port, lookup: getChecked, autoSelectFamily: true });
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      socket.on('error', () => socket.destroy());
      done(socket);
    });
  });
}
