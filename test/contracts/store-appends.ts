import { describe, expect, it } from 'vitest';
import type { HarnessEvent } from '../../src/core/events/event.ts';
import { synced, upTo } from '../support/pipeline.ts';
import type { MakeStore } from './store-contract.ts';
import { append, countEvents, note, take, useStore } from './store-fixture.ts';

export function describeAppends(makeStore: MakeStore): void {
  describe('append', () => {
    const { current } = useStore(makeStore);

    it('numbers events within their stream and across all streams', async () => {
      const { store } = current();
      expect(await append(store, { events: [note('1'), note('2')] })).toMatchObject({
        ok: true,
        version: 2,
        seq: 2,
      });
      expect(await append(store, { stream: 'other' })).toMatchObject({ ok: true, version: 1, seq: 3 });
      expect(await append(store, { expectedVersion: 2 })).toMatchObject({ ok: true, version: 3, seq: 4 });
      const all = await store.read({});
      expect(all.map(e => [e.seq, e.stream, e.version])).toEqual([
        [1, 'main', 1],
        [2, 'main', 2],
        [3, 'other', 1],
        [4, 'main', 3],
      ]);
    });

    it('with the wrong expected version is a conflict that names the right one and writes nothing', async () => {
      const { store, readIndex } = current();
      await append(store, { index: { rows: [], removed: [], summary: 'before' } });
      const request = {
        events: [note('lost')],
        acquire: { resource: 'task:1', owner: 'a', ttlMs: 1000 },
        index: { rows: [row('1')], removed: [], summary: 'after' },
      };
      const events = await store.read({});
      for (const [expectedVersion, tail] of [[0, events] as const, [2, []] as const]) {
        const result = await append(store, { ...request, expectedVersion });
        expect(result).toEqual({ ok: false, why: 'conflict', version: 1, tail });
      }
      expect(await countEvents(store)).toBe(1);
      expect(await store.leases()).toEqual([]);
      expect(await readIndex()).toEqual({ summary: 'before', rows: [] });
    });

    it('as a conflict brings what its caller missed of that stream, from the oldest on', async () => {
      const { store } = current();
      for (let version = 0; version < 150; version++)
        await append(store, { expectedVersion: version, events: [note(`n${version}`)] });
      await append(store, { stream: 'other', events: [note('elsewhere')] });
      const result = await append(store, { expectedVersion: 3 });
      if (result.ok || result.why !== 'conflict') throw new Error('no conflict');
      const missed = (await store.read({ stream: 'main' })).slice(3);
      expect(result.tail.length).toBeGreaterThan(20);
      expect(result.tail).toEqual(missed.slice(0, result.tail.length));
    });

    it('of facts about attempts is no conflict with attempts of other tasks: the answer brings what came before', async () => {
      const { store, readIndex } = current();
      const lease = await take(store);
      const index = { rows: [], removed: [], summary: 'theirs' };
      const theirs = await append(store, { events: [...upTo('prepared', '2'), note('by the way')], index });
      const mine = { ...index, rows: [row('1')], summary: 'not knowing theirs' };
      const events = [upTo('prepared', '1')[1] as HarnessEvent];
      const missed = await store.read({ stream: 'main' });
      const result = await append(store, { events, lease, touches: ['1', '3'], index: mine });
      expect(theirs).toMatchObject({ ok: true, version: 3, tail: [] });
      expect(result).toMatchObject({ ok: true, version: 4, seq: 4, tail: missed });
      expect(await readIndex()).toEqual({ summary: 'theirs', rows: [row('1')] });
    });

    it.each([
      ['the same task', () => upTo('prepared', '1')],
      ['a task that it depends on', () => upTo('prepared', '3')],
      ['what there is to do', () => [synced([])]],
      ['more than can be said in an answer', () => Array.from({ length: 300 }, (_, i) => note(`n${i}`))],
    ])('of facts about attempts is a conflict with %s', async (_, others) => {
      const { store } = current();
      const lease = await take(store);
      await append(store, { events: others() });
      const events = [upTo('prepared', '1')[1] as HarnessEvent];
      expect(await append(store, { events, lease, touches: ['1', '3'] })).toMatchObject({ why: 'conflict' });
      expect(await countEvents(store)).toBe(others().length);
    });

    it('of two writers on the same version exactly one wins', async () => {
      const { store, openAnother } = current();
      const other = await openAnother();
      const results = await Promise.all([append(store), append(other)]);
      expect(results.filter(r => r.ok)).toHaveLength(1);
      expect(await countEvents(store)).toBe(1);
      await other.close();
    });

    it('lands all of its events or none', async () => {
      const { store } = current();
      const cyclic: { type: string; self?: unknown } = { type: 'note.added' };
      cyclic.self = cyclic;
      const broken = append(store, { events: [note('fine'), cyclic as never] });
      await expect(broken).rejects.toThrow();
      expect(await append(store, { events: [note('next')] })).toMatchObject({ ok: true, version: 1, seq: 1 });
    });

    it('of nothing keeps the version and may still write the index', async () => {
      const { store, readIndex } = current();
      await append(store);
      const index = { rows: [row('1')], removed: [], summary: 's' };
      expect(await append(store, { expectedVersion: 1, events: [], index })).toMatchObject({
        version: 1,
        seq: 1,
      });
      expect((await readIndex()).rows).toHaveLength(1);
    });

    it('writes, replaces and removes index rows together with the summary', async () => {
      const { store, readIndex } = current();
      await append(store, { index: { rows: [row('1'), row('2'), row('10')], removed: [], summary: 'one' } });
      const changed = { ...row('2'), status: 'landed', readyRank: null };
      const index = { rows: [changed], removed: ['1', 'never-there'], summary: 'two' };
      await append(store, { expectedVersion: 1, index });
      expect(await readIndex()).toEqual({ summary: 'two', rows: [changed, row('10')] });
    });

    it('leaves index and summary alone when it is fenced or the resource is held', async () => {
      const { store, readIndex } = current();
      const lease = await take(store);
      const index = { rows: [row('1')], removed: [], summary: 'wrong' };
      const fenced = await append(store, { lease: { ...lease, token: 'guessed' }, index });
      const held = await append(store, { acquire: { resource: 'task:1', owner: 'b', ttlMs: 1000 }, index });
      expect([fenced, held]).toMatchObject([
        { why: 'fenced' },
        { why: 'held', by: { owner: 'a', fence: 1 } },
      ]);
      expect(await readIndex()).toEqual({ summary: '', rows: [] });
      expect(await countEvents(store)).toBe(0);
    });

    it('is unmoved by what the giver does to the event afterwards', async () => {
      const { store } = current();
      const event = { type: 'note.added' as const, level: 'debug' as const, text: 'as given' };
      await append(store, { events: [event] });
      event.text = 'changed';
      expect((await store.read({}))[0]?.event).toMatchObject({ text: 'as given' });
    });
  });
}

function row(id: string): { id: string; status: string; readyRank: string | null; data: string } {
  return { id, status: 'pending', readyRank: `0:${id}`, data: `{"title":"task ${id}"}` };
}
