import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { getErrorMessage, HarnessError } from '../../../core/base/failure.ts';

/** How far whoever listens on the way is kept out: `name and chain` is what verified means. */
export type Tls = 'name and chain' | 'chain' | 'off' | 'socket';

/** What a URL says of a server, taken apart; only `password` and `tls.key` are secret. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string;
  readonly tls: Tls;
  readonly ssl: ConnectionOptions | false;
  /** Settings that a host of databases wants at the start of a connection. */
  readonly options: string | undefined;
  /** The server and the database as people are shown them: without a password. */
  readonly where: string;
}

const FIELD = 'store.url';

/** Reads the URL of a database; what is wrong with it is said without repeating it. */
export function readAddress(url: string): Address {
  const parsed = parse(url);
  const query = parsed.searchParams;
  refuseLogin(query);
  const host = query.get('host') ?? (decodeURIComponent(parsed.hostname) || 'localhost');
  const [user, password] = [parsed.username, parsed.password].map(
    text => decodeURIComponent(text) || undefined,
  );
  const database = decodeURIComponent(parsed.pathname.slice(1)) || user || 'postgres';
  const port = Number(parsed.port || 5432);
  const tls = getTls(host, query.get('sslmode'));
  const shown = host.startsWith('/') ? host : `${host}:${port}`;
  return {
    ...{ host, port, user, password, database, tls },
    ssl: tls === 'off' || tls === 'socket' ? false : readTlsOptions(query, tls),
    options: query.get('options') ?? undefined,
    where: `postgres://${user === undefined ? '' : `${user}@`}${shown}/${database}`,
  };
}

function parse(url: string): URL {
  try {
    // A socket's URL has no host, which nothing but libpq takes for a URL.
    const parsed = new URL(url.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=\/)/, '$1localhost'));
    if (parsed.protocol !== 'postgres:' && parsed.protocol !== 'postgresql:') throw new Error();
    decodeURIComponent(parsed.username + parsed.password + parsed.pathname + parsed.hostname);
    // Whoever forgot a slash or an @ has the login where the database should be, and its name is shown.
    const isWhole = /^postgres(ql)?:\/\//i.test(url) && !/[/@:]/.test(parsed.pathname.slice(1));
    if (!isWhole || parsed.hash !== '') throw new Error();
    return parsed;
  } catch {
    throw new HarnessError('config', 'store.url is no address of a PostgreSQL database', {
      field: FIELD,
      fix: 'write postgres://user:password@host:5432/database, in the password with %40 for an @, %2F for a /, %23 for a #, %3F for a ? and %25 for a %; several hosts in one URL are not known',
    });
  }
}

/** It would be passed over, and looked for elsewhere. */
function refuseLogin(query: URLSearchParams): void {
  const name = ['user', 'password', 'dbname', 'port'].find(one => query.has(one));
  if (name === undefined) return;
  throw new HarnessError('config', `?${name}= in store.url is not read`, {
    field: FIELD,
    fix: 'write it before the ?: postgres://user:password@host:5432/database',
  });
}

/** A password and what it guards go over the network: TLS is off only where somebody wrote so. */
function getTls(host: string, mode: string | null): Tls {
  if (host.startsWith('/')) return 'socket';
  switch (mode) {
    case 'disable':
      return 'off';
    case 'verify-ca':
      return 'chain';
    case null:
    case 'allow':
    case 'prefer':
    case 'require':
    case 'verify-full':
      return 'name and chain';
    default:
      throw new HarnessError('config', 'sslmode in store.url is none that is known', {
        field: FIELD,
        fix: 'use sslmode=verify-full (what also require, prefer and no word at all mean here), verify-ca or disable',
      });
  }
}

function readTlsOptions(query: URLSearchParams, tls: Tls): ConnectionOptions {
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map(name => readPem(query, name));
  return {
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(tls === 'chain' ? { checkServerIdentity: () => undefined } : {}),
  };
}

function readPem(query: URLSearchParams, name: string): string | undefined {
  const path = query.get(name);
  if (path === null || path === '' || path === 'system') return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new HarnessError('config', `${name} in store.url cannot be read: ${getErrorMessage(error)}`, {
      file: path,
      field: FIELD,
      fix: `make it a file that you may read, or leave ${name} out to trust what this machine trusts`,
    });
  }
}
