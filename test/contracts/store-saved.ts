import { describe, expect, it } from 'vitest';
import type { MakeStore } from './store-contract.ts';
import { append, countEvents, useStore } from './store-fixture.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (body: Uint8Array | null | undefined) => (body ? new TextDecoder().decode(body) : null);

export function describeSaved(makeStore: MakeStore): void {
  describe('saved states', () => {
    const { current } = useStore(makeStore);

    it('come back byte for byte, to others as well, and are none before the first', async () => {
      const { store, openAnother } = current();
      expect([await store.savedGet('main'), await store.partsGet('main', ['x'])]).toEqual([null, new Map()]);
      const body = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256);
      const part = await store.partPut('main', body);
      expect(await store.savedPut('main', bytes('head \0 é'), [part])).toBe(true);
      const other = await openAnother();
      expect(text(await other.savedGet('main'))).toBe('head \0 é');
      const parts = await other.partsGet('main', [part, 'none']);
      expect([...parts.keys()]).toEqual([part]);
      expect(Buffer.from(parts.get(part)?.() ?? []).equals(body)).toBe(true);
      await other.close();
    });

    it('have one name for the same bytes, and keep streams apart', async () => {
      const { store } = current();
      const one = await store.partPut('main', bytes('one'));
      expect(await store.partPut('main', bytes('one'))).toBe(one);
      expect(await store.partPut('main', bytes('two'))).not.toBe(one);
      expect(await store.partsGet('other', [one])).toEqual(new Map());
      expect(await store.savedPut('other', bytes('head'), [one])).toBe(false);
    });

    it('are replaced by the next, which takes away every part that it does not name', async () => {
      const { store } = current();
      const [a, b, c] = [
        await store.partPut('main', bytes('a')),
        await store.partPut('main', bytes('b')),
        await store.partPut('main', bytes('c')),
      ];
      await store.savedPut('main', bytes('first'), [a, b]);
      expect([...(await store.partsGet('main', [a, b, c])).keys()].sort()).toEqual([a, b].sort());
      expect(await store.savedPut('main', bytes('second'), [b, b])).toBe(true);
      expect([...(await store.partsGet('main', [a, b])).keys()]).toEqual([b]);
      expect(text(await store.savedGet('main'))).toBe('second');
    });

    it('stay as they were where a part is gone that the next one names', async () => {
      const { store } = current();
      const a = await store.partPut('main', bytes('a'));
      await store.savedPut('main', bytes('first'), [a]);
      expect(await store.savedPut('main', bytes('second'), [a, 'gone'])).toBe(false);
      expect(text(await store.savedGet('main'))).toBe('first');
    });

    it('are no events', async () => {
      const { store } = current();
      await append(store);
      await store.savedPut('main', bytes('head'), []);
      expect(await countEvents(store)).toBe(1);
      expect(await append(store, { expectedVersion: 1 })).toMatchObject({ ok: true, version: 2, seq: 2 });
    });
  });
}
