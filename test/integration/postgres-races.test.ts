import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres, type PostgresStore } from '../../src/adapters/store/postgres/open-postgres.ts';
import type { Lease } from '../../src/ports/index.ts';
import { note, take } from '../contracts/store-fixture.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';
import { PASSWORD, type PostgresServer, startPostgres } from '../support/postgres.ts';

let server: PostgresServer;
const closing: (() => Promise<unknown>)[] = [];
let projects = 0;

beforeAll(async () => {
  server = await startPostgres();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => server.stop());

function nextKey(): string {
  return `race ${++projects}`;
}

async function open(
  key: string,
  options: Partial<Parameters<typeof openPostgres>[0]> = {},
): Promise<PostgresStore> {
  const store = await openPostgres({ url: server.url(), project: { key, name: 'race' }, ...options });
  closing.push(() => store.close());
  return store;
}

const append = (store: PostgresStore, text: string, lease?: Lease, expectedVersion = 0) =>
  store.append({
    stream: 'main',
    expectedVersion,
    events: [note(text)],
    atMs: 1,
    ...(lease ? { lease } : {}),
  });

/** Holds the head of a project, as a transaction that stands still would; lets it go on when told. */
async function holdHead(key: string): Promise<{ readonly client: pg.Client; release(): Promise<void> }> {
  const client = new pg.Client(server.url());
  await client.connect();
  closing.push(() => client.end());
  await client.query('BEGIN');
  await client.query(
    'SELECT FROM harness.heads WHERE project = (SELECT id FROM harness.projects WHERE key = $1) FOR UPDATE',
    [key],
  );
  return { client, release: async () => void (await client.query('COMMIT')) };
}

/** Until a session waits for the head of a project. */
async function untilWaiting(count = 1): Promise<void> {
  for (;;) {
    const text = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%harness.%'`;
    const [row] = await server.query<{ n: number }>(server.url(), text);
    if ((row?.n ?? 0) >= count) return;
    await new Promise(resolve => setImmediate(resolve));
  }
}

describe('a zombie and whoever takes over', () => {
  it('a write that waited while its lease was taken over is fenced', async () => {
    const key = nextKey();
    const store = await open(key);
    const zombie = await take(store);
    const { client, release } = await holdHead(key);
    const written = append(store, 'of a zombie', zombie);
    await untilWaiting();
    // In the transaction that the zombie waits for.
    const taken = await client.query(
      `SELECT harness.acquire(jsonb_build_object('project', id, 'writer', 1, 'acquire', jsonb_build_object(
        'resource', 'task:1', 'owner', 'b', 'ttlMs', 60000, 'adoptedFence', $2::bigint, 'token', 'new'))) AS answer
        FROM harness.projects WHERE key = $1`,
      [key, zombie.fence],
    );
    expect(taken.rows[0].answer).toMatchObject({ ok: true, lease: { fence: zombie.fence + 1 } });
    await release();
    expect(await written).toEqual({ ok: false, why: 'fenced' });
    expect(await store.read({})).toEqual([]);
  });

  it('a write that came first counts, and who takes over afterwards sees it', async () => {
    const key = nextKey();
    const [store, other] = [await open(key), await open(key)];
    const holder = await take(store);
    const { release } = await holdHead(key);
    const written = append(store, 'in time', holder);
    await untilWaiting();
    const taken = other.acquire({ resource: 'task:1', owner: 'b', ttlMs: 1_000, adoptedFence: holder.fence });
    await untilWaiting(2);
    await release();
    expect(await written).toMatchObject({ ok: true, version: 1 });
    expect(await taken).toMatchObject({ ok: true, lease: { fence: holder.fence + 1 } });
    expect(await append(other, 'late', holder, 1)).toEqual({ ok: false, why: 'fenced' });
    expect(await other.read({})).toHaveLength(1);
  });
});

it('eight writers leave versions and numbers without a gap, each event once and in the order it was answered', async () => {
  const key = nextKey();
  const stores = await Promise.all(Array.from({ length: 8 }, () => open(key)));
  const answered = new Map<string, number>();
  await Promise.all(
    stores.map(async (store, writer) => {
      for (let i = 0, version = 0; i < 25; ) {
        const result = await append(store, `${writer}:${i}`, undefined, version);
        if (result.ok) answered.set(`${writer}:${i++}`, result.seq);
        else if (result.why !== 'conflict') throw new Error(result.why);
        version = 'version' in result ? result.version : version;
      }
    }),
  );
  const all = await (stores[0] as PostgresStore).read({});
  expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
  expect(all.map(({ version }) => version)).toEqual(all.map(({ seq }) => seq));
  for (const { seq, event } of all) expect(answered.get('text' in event ? String(event.text) : '')).toBe(seq);
});

describe('when the network fails', () => {
  const through = async (key: string, patience = {}) => {
    const proxy = await startCuttingProxy(server.port);
    closing.push(() => proxy.close());
    const url = `postgres://harness:${PASSWORD}@127.0.0.1:${proxy.port}/postgres?sslmode=disable`;
    return { proxy, store: await open(key, { url, patience }) };
  };
  const isCut = (proxy: CuttingProxy) => expect(proxy.cuts()).toBe(1);

  it('an append whose answer was lost is written once, and its caller gets that answer', async () => {
    const { proxy, store } = await through(nextKey());
    proxy.cutAnswer('"version"');
    const acquire = { resource: 'task:1', owner: 'a', ttlMs: 60_000 };
    const events = [note('once'), note('and once')];
    const result = await store.append({ stream: 'main', expectedVersion: 0, events, atMs: 1, acquire });
    isCut(proxy);
    expect(result).toMatchObject({ ok: true, version: 2, seq: 2, lease: { fence: 1, owner: 'a' } });
    expect(await store.read({})).toHaveLength(2);
    const lease = result.ok ? result.lease : null;
    expect(await append(store, 'with that lease', lease ?? undefined, 2)).toMatchObject({
      ok: true,
      version: 3,
    });
  });

  it('an append that gave a lease back and lost its answer is not told that it was fenced', async () => {
    const { proxy, store } = await through(nextKey());
    const lease = await take(store);
    proxy.cutAnswer('"version"');
    const request = { stream: 'main', expectedVersion: 0, events: [], atMs: 1 };
    expect(await store.append({ ...request, lease, release: true })).toMatchObject({ ok: true, version: 0 });
    isCut(proxy);
    expect(await store.leases()).toEqual([]);
  });

  it('a lease whose answer was lost is the one that was taken', async () => {
    const { proxy, store } = await through(nextKey());
    proxy.cutAnswer('expiresAtMs');
    const lease = await take(store);
    isCut(proxy);
    expect(lease.fence).toBe(1);
    expect(await append(store, 'with it', lease)).toMatchObject({ ok: true });
  });

  it('a connection from which nothing comes back is given up, and what it did is done once', async () => {
    const key = nextKey();
    const { proxy, store } = await through(key, { callMs: 300 });
    proxy.swallow(true);
    const written = append(store, 'once');
    const direct = await open(key);
    while ((await direct.read({})).length === 0) await new Promise(resolve => setImmediate(resolve));
    proxy.swallow(false);
    expect(await written).toMatchObject({ ok: true, version: 1 });
    expect(await store.read({})).toHaveLength(1);
  });

  it('a server that is restarted in between is met again by the same store', async () => {
    const store = await open(nextKey());
    const lease = await take(store);
    await server.restart();
    expect(await append(store, 'after', lease)).toMatchObject({ ok: true, version: 1 });
  });

  it('a server that is killed keeps what it has said yes to', async () => {
    const store = await open(nextKey());
    await append(store, 'before');
    await server.kill();
    const waiting = append(store, 'meanwhile', undefined, 1);
    await server.start();
    expect(await waiting).toMatchObject({ ok: true, version: 2 });
    expect((await store.read({})).map(({ event }) => 'text' in event && event.text)).toEqual([
      'before',
      'meanwhile',
    ]);
  });

  it('a server that stays away is named in the end, without the password', async () => {
    const { proxy, store } = await through(nextKey(), { retryMs: 100, callMs: 200 });
    await proxy.close();
    const error = await append(store, 'never').catch(thrown => thrown);
    expect(error).toMatchObject({
      code: 'environment',
      details: { field: 'store.url', file: `postgres://harness@127.0.0.1:${proxy.port}/postgres` },
    });
    expect(error.message).toContain('cannot be reached');
    expect(JSON.stringify([error.message, error.details, error.stack])).not.toContain(PASSWORD);
  });
});

it('a project that is locked by a session standing still is said to be, and freed by its end', async () => {
  const key = nextKey();
  const store = await open(key, { patience: { callMs: 8_000, retryMs: 0 } });
  await append(store, 'before');
  const { release } = await holdHead(key);
  await expect(append(store, 'waits', undefined, 1)).rejects.toMatchObject({ code: 'locked' });
  await release();
  expect(await append(store, 'goes on', undefined, 1)).toMatchObject({ ok: true });
});
