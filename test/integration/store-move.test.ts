import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/adapters/store/open-store.ts';
import { openPostgres } from '../../src/adapters/store/postgres/open-postgres.ts';
import { withPostgresEnd } from '../../src/adapters/store/postgres/postgres-end.ts';
import { openQuickIndex } from '../../src/adapters/store/quick-index.ts';
import { withSqliteEnd } from '../../src/adapters/store/sqlite-end.ts';
import type { WithEnd } from '../../src/adapters/store/store-end.ts';
import { moveRecords } from '../../src/app/care/move-records.ts';
import type { EventQuery, Store } from '../../src/ports/index.ts';
import { note, take } from '../contracts/store-fixture.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';

let server: PostgresServer;
const dirs: string[] = [];
let projects = 0;

beforeAll(async () => {
  server = await startPostgres();
});
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true });
});
afterAll(() => server.stop());

interface Pair {
  readonly file: WithEnd;
  readonly shared: WithEnd;
  inFile<T>(use: (store: Store) => Promise<T>): Promise<T>;
  inShared<T>(use: (store: Store) => Promise<T>): Promise<T>;
  readonly stateDir: string;
}

/** A file with records of every kind, and a database without. */
async function makePair(count = 1_234): Promise<Pair> {
  const stateDir = mkdtempSync(join(tmpdir(), 'harness-move-'));
  dirs.push(stateDir);
  const project = { key: `move ${++projects}`, name: 'sample' };
  const place = { project, url: server.url(), clone: 'this one:' };
  const using = async <T, S extends Store>(store: S, use: (store: S) => Promise<T>) => {
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };
  const pair: Pair = {
    stateDir,
    file: work => withSqliteEnd(stateDir, work),
    shared: work => withPostgresEnd(place, work),
    inFile: async use => using(await openStore({ stateDir }), use),
    inShared: async use => using(await openPostgres(place), use),
  };
  await pair.inFile(async store => {
    const events = Array.from({ length: count }, (_, i) =>
      note(`"${i}" \u0000 \ud83d\ude00 ${i % 7}`, `task ${i % 5}`),
    );
    const rows = [{ id: '10', status: 'pending', readyRank: 'a', data: '{"title":"ten"}' }];
    const index = { rows, removed: [], summary: '{"a":1}' };
    await store.append({ stream: 'main', expectedVersion: 0, events, atMs: 5, index });
    await store.append({ stream: 'other', expectedVersion: 0, events: [note('x')], atMs: 6 });
    const lease = await take(store);
    await store.release(lease);
    await store.release(await take(store));
    await store.cachePut('cached', 'text with \u0000');
    await store.metaPut('kept', 'y');
  });
  return pair;
}

const read =
  (query: EventQuery = {}) =>
  (store: Store) =>
    store.read(query);
const readBeside = async (store: Store) => [await store.cacheGet('cached'), await store.metaGet('kept')];

it('everything moves to the database and back: events byte for byte, fences, index and what is kept', async () => {
  const { file, shared, inFile, inShared, stateDir } = await makePair();
  const before = await inFile(read());
  const there = await moveRecords(file, shared);
  expect(there).toMatchObject({ events: 1_235, copied: 1_235, isAgain: false });
  expect(await inShared(read())).toEqual(before);
  expect(await inShared(readBeside)).toEqual(['text with \u0000', 'y']);
  const lease = await inShared(take);
  expect(lease.fence).toBe(3);
  await inShared(async store => {
    const request = { stream: 'main', expectedVersion: 1_234, events: [note('there')], atMs: 7 };
    expect(await store.append({ ...request, lease, release: true })).toMatchObject({ ok: true, seq: 1_236 });
  });
  const back = await moveRecords(shared, file);
  expect(back).toMatchObject({ events: 1_236, copied: 1 });
  expect((await inFile(read())).slice(0, -1)).toEqual(before);
  expect(await inFile(read({ stream: 'other' }))).toHaveLength(1);
  expect((await inFile(take)).fence).toBe(4);
  const index = openQuickIndex(stateDir);
  expect(index?.view()).toMatchObject({ summary: '{"a":1}', next: { id: '10' }, seq: 1_236 });
  index?.close();
});

it('the time of the store does not go back when its records move', async () => {
  const { file, shared, inFile, inShared } = await makePair(1);
  const before = await inFile(store => store.nowMs());
  await moveRecords(file, shared);
  expect(await inShared(store => store.nowMs())).toBeGreaterThanOrEqual(before);
});

describe('the old store', () => {
  it('tells whoever opens it, or still has it open, where its records went', async () => {
    const { file, shared, inFile, inShared, stateDir } = await makePair(3);
    const still = await openStore({ stateDir });
    await moveRecords(file, shared);
    const moved = { code: 'state', message: expect.stringMatching(/moved to postgres:\/\/harness@/) };
    await expect(inFile(read())).rejects.toMatchObject(moved);
    expect(() => openQuickIndex(stateDir)).toThrow(/moved to/);
    const late = still.append({ stream: 'main', expectedVersion: 3, events: [note('late')], atMs: 1 });
    await expect(late).rejects.toMatchObject(moved);
    await still.close();
    const open = await inShared(async store => {
      await moveRecords(shared, file);
      return store
        .append({ stream: 'main', expectedVersion: 3, events: [note('late')], atMs: 1 })
        .catch(error => error);
    });
    expect(open.message).toMatch(/moved to .*store\.db on/);
    await expect(inShared(read())).rejects.toThrow(/moved to/);
    expect(await inFile(read())).toHaveLength(4);
  });

  it('keeps its records while somebody holds a lease, who is named', async () => {
    const { file, shared, inFile } = await makePair(3);
    await inFile(store => take(store, 'w-17'));
    await expect(moveRecords(file, shared)).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringContaining('w-17'),
      details: { fix: expect.stringContaining('harness stop') },
    });
    expect(await inFile(read())).toHaveLength(4);
  });
});

it('a write that waits while the records move away is refused and told where they are', async () => {
  const { file, shared, inFile, inShared } = await makePair(3);
  await moveRecords(file, shared);
  const count =
    "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%harness.append%'";
  await inShared(async store => {
    let late: Promise<unknown> = Promise.resolve();
    const source: WithEnd = work =>
      shared(end => {
        const setMoved = async (to: string | null) => {
          const request = { stream: 'main', expectedVersion: 3, events: [note('late')], atMs: 1 };
          late = store.append(request).catch(error => error);
          while ((await server.query(server.url(), count)).length === 0)
            await new Promise(resolve => setImmediate(resolve));
          await end.setMoved(to);
        };
        return work({ ...end, setMoved });
      });
    await moveRecords(source, file);
    expect(await late).toMatchObject({
      code: 'state',
      message: expect.stringMatching(/moved to .*store\.db/),
    });
    expect(await store.read({})).toHaveLength(4);
  });
  expect(await inFile(read())).toHaveLength(4);
});

describe('a move that is cut short', () => {
  const cut = (): never => {
    throw new Error('cut');
  };

  it('in the middle of the copy has moved nothing, and goes through when it is made again', async () => {
    const { file, shared, inFile, inShared } = await makePair();
    const half: WithEnd = work => shared(end => work({ ...end, putRest: cut }));
    await expect(moveRecords(file, half)).rejects.toThrow('cut');
    expect(await inShared(read())).toEqual([]);
    expect(await inFile(read())).toHaveLength(1_235);
    expect(await moveRecords(file, shared)).toMatchObject({ copied: 1_235, isAgain: false });
  });

  it('after the copy and before the mark is finished by the next, which copies nothing twice', async () => {
    const { file, shared, inFile, inShared } = await makePair();
    await expect(moveRecords(file, shared, { onCopied: cut })).rejects.toThrow('cut');
    expect(await moveRecords(file, shared)).toMatchObject({ events: 1_235, copied: 0, isAgain: true });
    expect(await inShared(read())).toHaveLength(1_235);
    await expect(inFile(read())).rejects.toThrow(/moved to/);
    expect(await moveRecords(file, shared)).toMatchObject({ copied: 0, isAgain: true });
  });

  it('and was taken up on either side is finished by what went on there', async () => {
    const { file, shared, inFile, inShared } = await makePair(3);
    await expect(moveRecords(file, shared, { onCopied: cut })).rejects.toThrow('cut');
    const append = (expectedVersion: number, text: string) => (store: Store) =>
      store.append({ stream: 'main', expectedVersion, events: [note(text)], atMs: 9 });
    await inFile(append(3, 'here'));
    expect(await moveRecords(file, shared)).toMatchObject({ events: 5, copied: 1 });
    await inShared(append(4, 'there'));
    expect(await moveRecords(file, shared)).toMatchObject({ events: 6, copied: 0 });
    expect(await inShared(read())).toHaveLength(6);
  });
});

it('records that are others than those that were moved are never mixed with them', async () => {
  const { file, shared, inFile, inShared } = await makePair(3);
  await inShared(store =>
    store.append({ stream: 'main', expectedVersion: 0, events: [note('others')], atMs: 1 }),
  );
  await expect(moveRecords(file, shared)).rejects.toMatchObject({
    code: 'state',
    message: expect.stringContaining('other records'),
  });
  expect(await inShared(read())).toHaveLength(1);
  expect(await inFile(read())).toHaveLength(4);
});

it('a store without records is not moved over one that has some', async () => {
  const { file, shared, inFile } = await makePair(3);
  await expect(moveRecords(shared, file)).rejects.toMatchObject({ code: 'usage' });
  expect(await inFile(read())).toHaveLength(4);
});

it('an end that gives back something else than was written keeps the move from counting', async () => {
  const { file, shared, inShared } = await makePair(3);
  const lossy: WithEnd = work =>
    shared(end => work({ ...end, putEvents: events => end.putEvents(events.slice(1)) }));
  await expect(moveRecords(file, lossy)).rejects.toThrow('nothing was moved');
  expect(await inShared(read())).toEqual([]);
});
