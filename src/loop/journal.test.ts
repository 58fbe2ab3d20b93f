import { describe, expect, it } from 'vitest';
import { wrapStore } from '../../test/support/bench.ts';
import { makeTask } from '../../test/support/history.ts';
import { ended, synced, upTo, WORKER } from '../../test/support/pipeline.ts';
import { createMemoryStore } from '../adapters/store/memory-store.ts';
import type { HarnessEvent, StoredEvent } from '../core/events/event.ts';
import { fold } from '../core/events/fold.ts';
import type { Lease, Store } from '../ports/index.ts';
import { Journal, PROJECT_STREAM } from './journal.ts';

const BACKLOG = synced([makeTask('1'), makeTask('2', ['1']), makeTask('3')]);
const NOTE: HarnessEvent = { type: 'note.added', level: 'routine', text: 'hello' };
const [started] = upTo('leased', '1') as [HarnessEvent];
const [started3] = upTo('leased', '3') as [HarnessEvent];
const acquire = { resource: 'task/1', owner: WORKER.id, ttlMs: 60_000 };

function open() {
  let nowMs = 1_000;
  let token = 0;
  const store = createMemoryStore(
    () => nowMs,
    () => `t${++token}`,
  );
  const heard: StoredEvent[] = [];
  const make = (on: Store = store) => new Journal(on, async events => void heard.push(...events));
  return { store, heard, make, journal: make(), pass: (ms: number) => (nowMs += ms) };
}

/** What a newcomer would make of the store, and what the journal makes of it. */
async function expectFresh(journal: Journal, store: Store): Promise<void> {
  const stored = fold(await store.read({ stream: PROJECT_STREAM }));
  const toData = (state: typeof stored) => ({ ...state, ready: state.ready.peek(), queue: state.ready.size });
  expect(toData(journal.state)).toEqual(toData(stored));
}

async function lease(journal: Journal): Promise<Lease> {
  const result = await journal.record([started], { acquire });
  if (!result.ok || !result.lease) throw new Error('no lease');
  return result.lease;
}

describe('recording', () => {
  it('changes state, store and index as one, and tells of it with the store’s numbers', async () => {
    const { journal, store, heard } = open();
    await journal.record([BACKLOG, NOTE]);
    expect(heard.map(event => event.seq)).toEqual([1, 2]);
    expect(heard).toEqual(await store.read({}));
    expect([...store.index.keys()]).toEqual(['1', '2', '3']);
    expect(JSON.parse(store.summary)).toMatchObject({ counts: { pending: 3 } });
    await expectFresh(journal, store);
  });

  it('numbers events right though other streams share the store', async () => {
    const { journal, store, heard } = open();
    await store.append({ stream: 'other', expectedVersion: 0, events: [NOTE, NOTE], atMs: 0 });
    await journal.record([BACKLOG]);
    expect(heard[0]?.seq).toBe(3);
    expect(journal.state.seq).toBe(3);
    await journal.record([NOTE]);
    await expectFresh(journal, store);
  });

  it('takes a task out of the index when it is gone', async () => {
    const { journal, store } = open();
    await journal.record([BACKLOG]);
    await journal.record([synced([], { removed: ['3'] })]);
    expect([...store.index.keys()]).toEqual(['1', '2']);
  });

  it('counts blocked tasks as a reload would', async () => {
    const { journal, store, make } = open();
    await journal.record([BACKLOG]);
    await journal.record([{ type: 'task.blocked', task: '1', reason: '' }]);
    expect(JSON.parse(store.summary)).toMatchObject({ blockedByDependency: 1 });
    const late = make();
    await late.refresh();
    await late.record([{ type: 'task.reset', task: '1', reason: '' }]);
    expect(JSON.parse(store.summary)).toMatchObject({ blockedByDependency: 0 });
  });

  it('says how much others have added', async () => {
    const { journal, make } = open();
    await make().record([BACKLOG, NOTE]);
    expect(await journal.refresh()).toBe(2);
    expect(await journal.refresh()).toBe(0);
  });
});

describe('a conflict', () => {
  it('is tried again on the newer state by who holds the lease', async () => {
    const { journal, store, make } = open();
    await journal.record([BACKLOG]);
    const held = await lease(journal);
    const other = make();
    await other.refresh();
    await other.record([started3], { acquire: { ...acquire, resource: 'task/3' } });
    const result = await journal.record([upTo('prepared', '1')[1] as HarnessEvent], { lease: held });
    expect(result.ok).toBe(true);
    expect([...journal.state.active.keys()].sort()).toEqual(['1', '3']);
    await expectFresh(journal, store);
  });

  it('is given back to who holds none, with the newer state to decide on', async () => {
    const { journal, store, make } = open();
    await journal.record([BACKLOG]);
    const other = make();
    await other.refresh();
    await lease(other);
    expect(await journal.record([started], { acquire })).toEqual({ ok: false, why: 'conflict' });
    expect(journal.state.active.has('1')).toBe(true);
    await expectFresh(journal, store);
  });

  it('is none for who holds the lease, as long as others were at other tasks', async () => {
    const { journal, store, make, heard } = open();
    await journal.record([BACKLOG]);
    const held = await lease(journal);
    let appends = 0;
    const counted = wrapStore(store, {
      append: request => {
        if (request.events.length > 0) appends++;
        return store.append(request);
      },
    });
    const late = make(counted);
    await late.refresh();
    await journal.record([started3], { acquire: { ...acquire, resource: 'task/3' } });
    heard.length = 0;
    expect(await late.record([upTo('prepared', '1')[1] as HarnessEvent], { lease: held })).toMatchObject({
      ok: true,
    });
    expect(appends).toBe(1);
    expect(heard).toEqual((await store.read({})).slice(3));
    expect(JSON.parse(store.summary)).toMatchObject({ seq: 4, counts: { active: 2 } });
    await expectFresh(late, store);
  });

  it('leaves a summary that says itself how old it is, when a kill comes before the new one', async () => {
    const { journal, store, make } = open();
    await journal.record([BACKLOG]);
    const held = await lease(journal);
    const killed = wrapStore(store, {
      append: request =>
        request.events.length === 0 ? Promise.reject(new Error('killed')) : store.append(request),
    });
    const late = make(killed);
    await late.refresh();
    await journal.record([started3], { acquire: { ...acquire, resource: 'task/3' } });
    await late.record([upTo('prepared', '1')[1] as HarnessEvent], { lease: held });
    expect(JSON.parse(store.summary)).toMatchObject({ seq: 3 });
    const next = make();
    await next.refresh();
    await next.settle();
    expect(JSON.parse(store.summary)).toMatchObject({ seq: 4, active: [{ stage: 'prepared' }, {}] });
  });

  it('with events that no longer fit is a lost lease, not a crash', async () => {
    const { journal, store, make } = open();
    await journal.record([BACKLOG]);
    const held = await lease(journal);
    const other = make();
    await other.refresh();
    await other.record([ended('1', 'partial')]);
    expect(await journal.record([ended('1', 'failed')], { lease: held })).toEqual({
      ok: false,
      why: 'fenced',
    });
    await expectFresh(journal, store);
  });
});

describe('what is known already', () => {
  /** The same store; notes how many events each read gave. */
  function counting(store: Store, reads: number[]): Store {
    return wrapStore(store, {
      read: async query => {
        const events = await store.read(query);
        reads.push(events.length);
        return events;
      },
    });
  }

  it('is never read again, not even after a conflict: the answer brings what is new', async () => {
    const { journal, store, make } = open();
    const reads: number[] = [];
    const other = make(counting(store, reads));
    await journal.record([BACKLOG, NOTE]);
    await other.refresh();
    await lease(journal);
    expect(await other.record([started], { acquire })).toEqual({ ok: false, why: 'conflict' });
    expect(await other.record([started3], { acquire: { ...acquire, resource: 'task/3' } })).toMatchObject({
      ok: true,
    });
    expect(reads).toEqual([2]);
    await expectFresh(other, store);
  });

  it('and is long is read in parts, so that others in the process have their turn', async () => {
    const { store, make } = open();
    const events = Array.from({ length: 1_000 }, () => NOTE);
    await store.append({ stream: PROJECT_STREAM, expectedVersion: 0, events, atMs: 0 });
    const reads: number[] = [];
    const journal = make(counting(store, reads));
    const seen: number[] = [];
    const watch = (): void => {
      seen.push(journal.state.version);
      if (journal.state.version < 1_000) setImmediate(watch);
    };
    setImmediate(watch);
    expect(await journal.refresh()).toBe(1_000);
    expect(Math.max(...reads)).toBeLessThan(300);
    expect(seen.length).toBeGreaterThan(2);
    await expectFresh(journal, store);
  });

  it('by a worker that was away for long is caught up with by reading', async () => {
    const { journal, store, make } = open();
    await journal.record([BACKLOG]);
    const other = make();
    await other.refresh();
    for (let times = 0; times < 300; times++) await journal.record([NOTE]);
    expect(await other.record([NOTE])).toEqual({ ok: false, why: 'conflict' });
    expect(other.state.version).toBe(301);
    await expectFresh(other, store);
  });
});

describe('a refusal', () => {
  it('by a fence is final, and leaves no trace in the state', async () => {
    const { journal, store, pass } = open();
    await journal.record([BACKLOG]);
    const held = await lease(journal);
    pass(60_000);
    expect(await journal.record([ended('1', 'failed')], { lease: held })).toEqual({
      ok: false,
      why: 'fenced',
    });
    expect(journal.state.active.has('1')).toBe(true);
    await expectFresh(journal, store);
  });

  it('by a holder leaves no trace in the state', async () => {
    const { journal, store } = open();
    await journal.record([BACKLOG]);
    await store.acquire(acquire);
    expect(await journal.record([started], { acquire })).toEqual({ ok: false, why: 'held' });
    expect(journal.state.active.size).toBe(0);
    await expectFresh(journal, store);
  });

  it('by the core, of a move that is not legal, is a bug that goes up and leaves no trace', async () => {
    const { journal, store } = open();
    await journal.record([BACKLOG]);
    await expect(journal.record([NOTE, ended('1', 'failed')])).rejects.toThrow('not under way');
    expect(await store.read({})).toHaveLength(1);
    await expectFresh(journal, store);
  });

  it.each([
    ['before it wrote', false],
    ['after it wrote', true],
  ])('by a store that breaks %s leaves what the store says', async (_, writes) => {
    const { store, make } = open();
    let broken = false;
    const flaky = wrapStore(store, {
      append: async request => {
        if (!broken || writes) {
          const result = await store.append(request);
          if (!broken) return result;
        }
        throw new Error('disk I/O error');
      },
    });
    const journal = make(flaky);
    await journal.record([BACKLOG]);
    broken = true;
    await expect(journal.record([started])).rejects.toThrow('disk I/O error');
    expect(journal.state.active.has('1')).toBe(writes);
    await expectFresh(journal, store);
  });
});
