import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HarnessEvent } from '../../src/core/events/event.ts';
import type { EventQuery, Store } from '../../src/ports/index.ts';
import type { MakeStore } from './store-contract.ts';
import { append, note, useStore } from './store-fixture.ts';

export function describeReads(makeStore: MakeStore): void {
  describe('reads', () => {
    const { current } = useStore(makeStore);

    it.each<[string, EventQuery, number[]]>([
      ['everything in order', {}, [1, 2, 3, 4, 5, 6]],
      ['one stream', { stream: 'b' }, [3, 4]],
      ['from a number on', { fromSeq: 4 }, [4, 5, 6]],
      ['one stream from a number on', { stream: 'a', fromSeq: 2 }, [2, 5, 6]],
      ['one task', { task: 't1' }, [2, 4]],
      ['one task in one stream', { task: 't1', stream: 'a' }, [2]],
      ['some types', { types: ['task.reset', 'checkpoints.pruned'] }, [4, 6]],
      ['one task and type', { task: 't1', types: ['note.added'] }, [2]],
      ['no type at all', { types: [] }, []],
      ['since a time', { sinceMs: 3_000 }, [5, 6]],
      ['until a time', { untilMs: 2_000 }, [1, 2, 3, 4]],
      ['between times', { sinceMs: 2_000, untilMs: 2_000 }, [3, 4]],
      ['the first few', { limit: 2 }, [1, 2]],
      ['the newest few', { limit: 2, newestFirst: true }, [6, 5]],
      ['the newest of a stream', { stream: 'b', limit: 1, newestFirst: true }, [4]],
      ['the newest of a task', { task: 't1', limit: 1, newestFirst: true }, [4]],
      ['what is not there', { task: 'none' }, []],
    ])('give %s', async (_, query, seqs) => {
      const { store } = current();
      await fill(store);
      expect((await store.read(query)).map(e => e.seq)).toEqual(seqs);
    });

    it('give events back byte for byte', async () => {
      const { store } = current();
      let version = 0;
      const anyEvent = fc.record({
        type: fc.constantFrom('note.added', 'task.reset'),
        task: fc.string({ unit: 'grapheme' }),
        text: fc.string({ unit: 'binary' }),
        more: fc.jsonValue(),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyEvent, { minLength: 1, maxLength: 3 }),
          fc.nat(),
          async (events, atMs) => {
            const given = events as unknown as HarnessEvent[];
            const result = await store.append({ stream: 's', expectedVersion: version, events: given, atMs });
            if (!result.ok) throw new Error(result.why);
            const back = await store.read({ stream: 's', fromSeq: result.seq - given.length + 1 });
            expect(back.map(e => JSON.stringify(e.event))).toEqual(given.map(e => JSON.stringify(e)));
            expect(back.map(e => [e.version, e.atMs])).toEqual(given.map((_, i) => [version + 1 + i, atMs]));
            version = result.version;
          },
        ),
        { numRuns: 40 },
      );
    });

    it('give cached and remembered values back as they were put, and null for the rest', async () => {
      const { store, openAnother } = current();
      const value = 'text with \u0000, \ud83d\ude00, "quotes" and\nlines';
      await store.cachePut('k', 'old');
      await store.cachePut('k', value);
      await store.metaPut('k', `${value}!`);
      const other = await openAnother();
      expect([await other.cacheGet('k'), await other.metaGet('k')]).toEqual([value, `${value}!`]);
      expect([await other.cacheGet('none'), await other.metaGet('none')]).toEqual([null, null]);
      await other.close();
    });

    it('are seen by another connection as soon as an append has answered', async () => {
      const { store, openAnother } = current();
      const other = await openAnother();
      await append(store);
      expect(await other.read({})).toHaveLength(1);
      await other.close();
    });

    it('have a clock that never goes back and goes on with time', async () => {
      const { store, passTime } = current();
      const first = await store.nowMs();
      await passTime(1_000);
      expect(await store.nowMs()).toBeGreaterThanOrEqual(first + 1_000);
    });
  });
}

async function fill(store: Store): Promise<void> {
  await append(store, { stream: 'a', events: [note('1'), note('2', 't1')], atMs: 1_000 });
  const reset: HarnessEvent = { type: 'task.reset', task: 't1', reason: 'asked' };
  await append(store, { stream: 'b', events: [note('3'), reset], atMs: 2_000 });
  const measured: HarnessEvent = { type: 'checkpoints.pruned', ids: ['1-1'] };
  await append(store, { stream: 'a', expectedVersion: 2, events: [note('5', 't2'), measured], atMs: 3_000 });
}
