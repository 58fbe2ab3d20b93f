import { describe, expect, it } from 'vitest';
import { wrapStore } from '../../test/support/bench.ts';
import { makeTask } from '../../test/support/history.ts';
import { landing, synced } from '../../test/support/pipeline.ts';
import { toData } from '../../test/support/state-data.ts';
import { createMemoryStore } from '../adapters/store/memory-store.ts';
import { fold } from '../core/events/fold.ts';
import { LazyTasks } from '../core/saved/lazy-tasks.ts';
import type { State } from '../core/state/state.ts';
import type { Store } from '../ports/index.ts';
import { Journal, PROJECT_STREAM } from './journal.ts';

const IDS = Array.from({ length: 300 }, (_, at) => String(at + 1));
const LANDED = IDS.slice(0, 290);

/** A project of which nearly all has landed, and what its run saved. */
async function open() {
  const store = createMemoryStore(
    () => 1_000,
    () => 't',
  );
  const journal = new Journal(store, async () => undefined);
  await journal.record([synced(IDS.map(id => makeTask(id, id === '300' ? ['1', '299'] : [])))]);
  for (const id of LANDED) await journal.record(landing(id, { session: Number(id) }));
  await journal.save();
  return { store, journal };
}

/** The state of whoever opens the project now, and how many events they folded for it. */
async function reopen(store: Store): Promise<{ state: State; folded: number; isSaved: boolean }> {
  const journal = new Journal(store, async () => undefined);
  const folded = await journal.refresh();
  return { state: journal.state, folded, isSaved: journal.state.tasks instanceof LazyTasks };
}

async function expectWhole(store: Store, state: State): Promise<void> {
  expect(toData(state)).toEqual(toData(fold(await store.read({ stream: PROJECT_STREAM }))));
}

async function readHead(store: Store): Promise<Record<string, unknown>> {
  return JSON.parse(new TextDecoder().decode((await store.savedGet(PROJECT_STREAM)) ?? undefined));
}

const toBytes = (value: object) => new TextEncoder().encode(JSON.stringify(value));

describe('a project that was saved', () => {
  it('is opened without folding what came before, and is the same', async () => {
    const { store } = await open();
    const { state, folded, isSaved } = await reopen(store);
    expect([folded, isSaved]).toEqual([0, true]);
    await expectWhole(store, state);
  });

  it('is opened with what came since', async () => {
    const { store, journal } = await open();
    await journal.record(landing('299', { session: 291 }));
    const { state, folded } = await reopen(store);
    expect(folded).toBe(9);
    await expectWhole(store, state);
  });

  it('is saved again by whoever opened it, with all that it had', async () => {
    const { store } = await open();
    const journal = new Journal(store, async () => undefined);
    await journal.refresh();
    await journal.record(landing('299', { session: 291 }));
    await journal.save();
    const { state, folded, isSaved } = await reopen(store);
    expect([folded, isSaved]).toEqual([0, true]);
    await expectWhole(store, state);
  });

  it('knows how many tasks wait behind dead ones, as if it had folded them', async () => {
    const { store, journal } = await open();
    await journal.record([{ type: 'task.blocked', task: '299', reason: 'by hand' }]);
    await journal.save();
    const other = new Journal(store, async () => undefined);
    await other.refresh();
    await other.record([{ type: 'note.added', level: 'debug', text: 'hello' }]);
    expect(JSON.parse(store.summary)).toMatchObject({ blockedByDependency: 1 });
  });

  it('is opened as it was at an earlier event, whatever was saved after that', async () => {
    const { store } = await open();
    const journal = new Journal(store, async () => undefined);
    expect(await journal.refresh(1_000)).toBe(1_000);
    const all = await store.read({ stream: PROJECT_STREAM });
    expect(toData(journal.state)).toEqual(toData(fold(all.slice(0, 1_000))));
    const newest = new Journal(store, async () => undefined);
    expect(await newest.refresh(all.length)).toBe(0);
  });

  it('is not saved before so many events have come', async () => {
    const { store, journal } = await open();
    const before = await readHead(store);
    await journal.record([{ type: 'note.added', level: 'debug', text: 'hello' }]);
    await journal.save(2);
    expect(await readHead(store)).toEqual(before);
    await journal.save(1);
    expect((await readHead(store)).seq).toBe(Number(before.seq) + 1);
  });
});

describe('what was saved counts for nothing', () => {
  it.each<[string, (store: Store, head: Record<string, unknown>) => Promise<unknown>]>([
    [
      'when other rules folded it',
      (store, head) => put(store, { ...head, fold: 'rules of another version' }),
    ],
    [
      'when it ends with another event than the log has there',
      (store, head) => put(store, { ...head, mark: `${head.mark}0` }),
    ],
    ['when it ends after the log', (store, head) => put(store, { ...head, seq: 1e6 })],
    ['when its head is cut off', (store, head) => putBytes(store, toBytes(head).slice(0, -5))],
    ['when its head is of another form', (store, head) => put(store, { ...head, closed: 5 })],
    [
      'when it lost its parts',
      (store, { fold, mark, seq, rest, missing }) =>
        put(store, {
          fold,
          mark,
          seq,
          rest,
          missing,
          closed: [{ name: 'x', ids: ['1'], places: [0], needed: [] }],
          open: [],
        }),
    ],
  ])('%s', async (_, damage) => {
    const { store } = await open();
    await damage(store, await readHead(store));
    const { state, folded, isSaved } = await reopen(store);
    expect([folded > 2_000, isSaved]).toEqual([true, false]);
    await expectWhole(store, state);
  });

  it('when it cannot be read, and the log can', async () => {
    const { store } = await open();
    const partsGet = async () => Promise.reject(new Error('the page is damaged'));
    const { state, isSaved } = await reopen(wrapStore(store, { partsGet }));
    expect(isSaved).toBe(false);
    await expectWhole(store, state);
  });

  it('when its writer died between two pieces: then what was saved before still does', async () => {
    const { store, journal } = await open();
    await journal.record(landing('299', { session: 291 }));
    for (let pieces = 0; pieces < 4; pieces++) {
      let left = pieces;
      const dying = wrapStore(store, {
        partPut: (stream, body) =>
          left-- > 0 ? store.partPut(stream, body) : Promise.reject(new Error('killed')),
        savedPut: () => Promise.reject(new Error('killed')),
      });
      const other = new Journal(dying, async () => undefined);
      await other.refresh();
      await other.save();
      const { state, folded, isSaved } = await reopen(store);
      expect([folded, isSaved]).toEqual([9, true]);
      await expectWhole(store, state);
    }
  });
});

async function put(store: Store, head: object): Promise<unknown> {
  return putBytes(store, toBytes(head));
}

async function putBytes(store: Store, head: Uint8Array): Promise<unknown> {
  const { closed = [], open = [] } = (await readHead(store)) as {
    closed?: { name: string }[];
    open?: string[];
  };
  return store.savedPut(PROJECT_STREAM, head, [...closed.map(({ name }) => name), ...open]);
}
