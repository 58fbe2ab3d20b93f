import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describePostgres } from '../../src/adapters/store/postgres/describe.ts';
import { MIGRATIONS, type Migration } from '../../src/adapters/store/postgres/migrations.ts';
import { openPostgres, type PostgresStore } from '../../src/adapters/store/postgres/open-postgres.ts';
import { append } from '../contracts/store-fixture.ts';
import { makeCertificate } from '../support/certificate.ts';
import { makeTempDir } from '../support/git-fixture.ts';
import { PASSWORD, type PostgresServer, startPostgres } from '../support/postgres.ts';

let server: PostgresServer;
const own = makeCertificate({ ip: '127.0.0.1' });
const opened: PostgresStore[] = [];
let databases = 0;

beforeAll(async () => {
  server = await startPostgres({ tls: own });
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});
afterAll(() => server.stop());

const makeDatabase = async (): Promise<string> => {
  const url = await server.createDatabase(`d${++databases}`);
  return `${url}?sslmode=disable`;
};

type Options = Partial<Parameters<typeof openPostgres>[0]>;

async function open(url: string, options: Options = {}): Promise<PostgresStore> {
  const store = await openPostgres({ url, project: { key: 'p', name: 'sample' }, ...options });
  opened.push(store);
  return store;
}

const ask = <Row extends Record<string, unknown>>(url: string, text: string) => server.query<Row>(url, text);
const newest = MIGRATIONS.at(-1)?.to ?? 0;
const NEXT: Migration = { to: newest + 1, minWriter: newest, sql: 'CREATE TABLE harness.later (x int)' };

describe('the layout of a database', () => {
  it('is made once when many open an empty one at the same time', async () => {
    const url = await makeDatabase();
    const stores = await Promise.all(Array.from({ length: 6 }, () => open(url)));
    expect(await append(stores[5] as PostgresStore)).toMatchObject({ ok: true, seq: 1 });
    expect(await ask(url, 'SELECT version, min_writer FROM harness.layout')).toEqual([
      { version: newest, min_writer: 1 },
    ]);
    expect(await ask(url, 'SELECT key FROM harness.projects')).toEqual([{ key: 'p' }]);
  });

  it('is brought on by a newer Harness, and events stay', async () => {
    const url = await makeDatabase();
    await append(await open(url));
    const reports: object[] = [];
    const migrations = [...MIGRATIONS, NEXT];
    const onMigrated = (report: object) => void reports.push(report);
    const newer = await Promise.all([
      open(url, { migrations, onMigrated }),
      open(url, { migrations, onMigrated }),
    ]);
    expect(reports).toEqual([{ from: newest, to: newest + 1 }]);
    expect(await newer[0]?.read({})).toHaveLength(1);
  });

  it('is left as it is where compatibility.on_older_state says abort', async () => {
    const url = await makeDatabase();
    await open(url);
    const options: Options = { migrations: [...MIGRATIONS, NEXT], onOlderState: 'abort' };
    await expect(open(url, options)).rejects.toMatchObject({
      code: 'state',
      details: { fix: 'run harness migrate' },
    });
  });

  it('of a newer Harness is refused, or warned about where the configuration says so', async () => {
    const url = await makeDatabase();
    await open(url, { migrations: [...MIGRATIONS, NEXT] });
    await expect(open(url)).rejects.toMatchObject({
      code: 'state',
      message: expect.stringContaining(`schema ${newest + 1}`),
      details: { fix: expect.stringMatching(/^update Harness/) },
    });
    const warnings: string[] = [];
    const store = await open(url, { onNewerState: 'warn', onWarning: text => void warnings.push(text) });
    expect(warnings).toEqual([expect.stringContaining('going on')]);
    expect(await append(store)).toMatchObject({ ok: true });
  });

  it('that takes newer writers only refuses every write of one that still runs, and nothing is written', async () => {
    const url = await makeDatabase();
    const store = await open(url);
    await append(store);
    await open(url, { migrations: [...MIGRATIONS, { ...NEXT, minWriter: newest + 1 }] });
    const writes = [
      append(store, { expectedVersion: 1 }),
      store.acquire({ resource: 'r', owner: 'a', ttlMs: 1 }),
    ];
    for (const write of writes)
      await expect(write).rejects.toThrow(`writers of schema ${newest + 1} or newer`);
    expect(await store.read({})).toHaveLength(1);
  });

  it('is not made in a schema of somebody else', async () => {
    const url = await makeDatabase();
    await ask(url, 'CREATE SCHEMA harness CREATE TABLE theirs (x int)');
    await expect(open(url)).rejects.toMatchObject({ message: expect.stringContaining('not one of Harness') });
    expect(await ask(url, "SELECT relname FROM pg_class WHERE relname IN ('theirs', 'events')")).toHaveLength(
      1,
    );
  });

  it('is used by no role whose transactions would not see what others commit', async () => {
    const url = await makeDatabase();
    const store = await open(url);
    await ask(url, `ALTER DATABASE d${databases} SET default_transaction_isolation = 'repeatable read'`);
    await store.close();
    const other = await open(url);
    await expect(append(other)).rejects.toMatchObject({
      details: { fix: expect.stringContaining('read committed') },
    });
  });

  it('holds several projects that do not know each other', async () => {
    const url = await makeDatabase();
    const [one, two] = [await open(url), await open(url, { project: { key: 'q', name: 'other' } })];
    await append(one);
    expect(await append(two)).toMatchObject({ ok: true, seq: 1, version: 1 });
    await one.acquire({ resource: 'r', owner: 'a', ttlMs: 60_000 });
    expect(await two.acquire({ resource: 'r', owner: 'b', ttlMs: 60_000 })).toMatchObject({ ok: true });
    expect(await two.read({})).toHaveLength(1);
  });
});

it('what a clone remembers of its folders and of test runs is told to no other clone', async () => {
  const url = await makeDatabase();
  const [one, two] = [await open(url, { clone: 'a:' }), await open(url, { clone: 'b:' })];
  await one.metaPut('installed:/work', 'yes');
  expect(await one.metaGet('installed:/work')).toBe('yes');
  expect(await two.metaGet('installed:/work')).toBeNull();
  await one.cachePut('a run', 'green');
  expect([await one.cacheGet('a run'), await two.cacheGet('a run')]).toEqual(['green', null]);
});

it('an event that was changed behind the store’s back is no fact', async () => {
  const url = await makeDatabase();
  const store = await open(url);
  await append(store);
  await ask(url, `UPDATE harness.events SET body = replace(body, 'x', 'y')`);
  await expect(store.read({})).rejects.toThrow(/event 1 in postgres:.* is not what was written/);
});

it('a part of a saved state that was changed behind the store’s back is not there', async () => {
  const url = await makeDatabase();
  const store = await open(url);
  const part = await store.partPut('main', Buffer.from('what was folded'));
  await store.savedPut('main', Buffer.from('head'), [part]);
  await ask(url, `UPDATE harness.saved SET body = set_byte(body, 0, 1)`);
  expect([await store.savedGet('main'), (await store.partsGet('main', [part])).size]).toEqual([null, 0]);
  await store.partPut('main', Buffer.from('what was folded'));
  expect(await store.savedPut('main', Buffer.from('head'), [part])).toBe(true);
});

describe('TLS', () => {
  const ca = (pem: string): string => {
    const path = join(makeTempDir(), 'ca.pem');
    writeFileSync(path, pem);
    chmodSync(path, 0o644);
    return encodeURIComponent(path);
  };
  const url = (query: string, host = '127.0.0.1') =>
    `postgres://harness:${PASSWORD}@${host}:${server.port}/postgres${query}`;
  const refused = async (query: string, why: RegExp, host?: string) => {
    const error = await open(url(query, host)).catch(thrown => thrown);
    expect(error.message).toMatch(why);
    expect(error.details.fix).toContain('sslrootcert');
    expect(JSON.stringify([error.message, error.details])).not.toContain(PASSWORD);
  };

  it.each(['', '?sslmode=require', '?sslmode=prefer', '?sslmode=verify-full', '?sslmode=verify-ca'])(
    'a server that nobody vouches for is refused: %s',
    query => refused(query, /self-signed certificate/),
  );

  it('a server whose certificate is trusted by sslrootcert is spoken to over TLS', async () => {
    const store = await open(url(`?sslmode=require&sslrootcert=${ca(own.cert)}`));
    expect(await append(store)).toMatchObject({ ok: true });
    const sessions = await ask<{ ssl: boolean }>(
      url('?sslmode=disable'),
      "SELECT s.ssl FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE a.application_name = 'harness' AND a.datname = 'postgres'",
    );
    expect(sessions.length).toBeGreaterThan(0);
    expect(sessions.every(({ ssl }) => ssl)).toBe(true);
    expect(await describePostgres(url(`?sslrootcert=${ca(own.cert)}`), 'p')).toMatchObject({
      tls: 'name and chain',
    });
  });

  it('a certificate for another name is refused, unless only its chain is asked for', async () => {
    await refused(`?sslrootcert=${ca(own.cert)}`, /does not match|altnames/i, 'localhost');
    const store = await open(url(`?sslmode=verify-ca&sslrootcert=${ca(own.cert)}`, 'localhost'));
    expect(await append(store, { stream: 'other' })).toMatchObject({ ok: true });
  });

  it('no URL can ask for TLS that is not verified', async () => {
    await expect(open(url('?sslmode=no-verify'))).rejects.toMatchObject({ code: 'config' });
  });
});
