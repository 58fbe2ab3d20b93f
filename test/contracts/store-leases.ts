import { describe, expect, it } from 'vitest';
import type { MakeStore } from './store-contract.ts';
import { append, countEvents, take, useStore } from './store-fixture.ts';

const WANT = { resource: 'task:1', owner: 'b', ttlMs: 60_000 };

export function describeLeases(makeStore: MakeStore): void {
  describe('leases', () => {
    const { current } = useStore(makeStore);

    it('go to exactly one of two who ask', async () => {
      const { store, openAnother } = current();
      const other = await openAnother();
      const answers = await Promise.all([store.acquire({ ...WANT, owner: 'a' }), other.acquire(WANT)]);
      expect(answers.filter(a => a.ok)).toHaveLength(1);
      const [lost] = answers.filter(a => !a.ok);
      expect(lost).toMatchObject({ by: { resource: 'task:1', fence: 1 } });
      await other.close();
    });

    it('are refused to their own holder too, who has to renew', async () => {
      const { store } = current();
      await take(store, 'a');
      expect((await store.acquire({ ...WANT, owner: 'a' })).ok).toBe(false);
    });

    it('never show their token to others', async () => {
      const { store } = current();
      await take(store);
      const refused = await store.acquire(WANT);
      expect(JSON.stringify([refused, await store.leases()])).not.toContain('token');
    });

    it('have a fence that grows with each holder and a token that is new each time', async () => {
      const { store } = current();
      const seen = new Set<string>();
      for (let fence = 1; fence <= 4; fence++) {
        const lease = await take(store);
        expect(lease.fence).toBe(fence);
        seen.add(lease.token);
        await store.release(lease);
      }
      expect(seen.size).toBe(4);
    });

    it('can be had again once they have been given back', async () => {
      const { store } = current();
      await store.release(await take(store));
      expect(await store.leases()).toEqual([]);
      expect((await store.acquire(WANT)).ok).toBe(true);
    });

    it('can be had again once their time is up, and not before', async () => {
      const { store, passTime } = current();
      await take(store, 'a', 5_000);
      expect((await store.acquire(WANT)).ok).toBe(false);
      await passTime(5_001);
      expect(await store.acquire(WANT)).toMatchObject({ ok: true, lease: { fence: 2, owner: 'b' } });
    });

    it('last longer when they are renewed in time', async () => {
      const { store, passTime } = current();
      let lease = await take(store, 'a', 5_000);
      for (let i = 0; i < 3; i++) {
        await passTime(3_000);
        const renewed = await store.renew(lease, 5_000);
        expect(renewed?.expiresAtMs).toBeGreaterThan(lease.expiresAtMs);
        lease = renewed ?? lease;
      }
      expect((await store.acquire(WANT)).ok).toBe(false);
      expect(await append(store, { lease })).toMatchObject({ ok: true, lease: null });
    });

    it('are taken over early only under the fence the taker has seen', async () => {
      const { store } = current();
      await take(store);
      expect((await store.acquire({ ...WANT, adoptedFence: 2 })).ok).toBe(false);
      expect(await store.acquire({ ...WANT, adoptedFence: 1 })).toMatchObject({
        ok: true,
        lease: { fence: 2 },
      });
      expect((await store.acquire({ ...WANT, owner: 'c', adoptedFence: 1 })).ok).toBe(false);
    });

    it('can be taken and given back in the same write as events', async () => {
      const { store } = current();
      const started = await append(store, { acquire: { ...WANT, owner: 'a' } });
      if (!started.ok || !started.lease) throw new Error('no lease');
      const { token: _, ...info } = started.lease;
      expect(await store.leases()).toEqual([info]);
      const ended = await append(store, { expectedVersion: 1, lease: started.lease, release: true });
      expect(ended).toMatchObject({ ok: true, lease: null });
      expect(await store.leases()).toEqual([]);
      expect((await append(store, { expectedVersion: 2, lease: started.lease })).ok).toBe(false);
    });

    it('are kept when the write that would give them back is a conflict', async () => {
      const { store } = current();
      const lease = await take(store);
      expect(await append(store, { lease, release: true, expectedVersion: 7 })).toMatchObject({
        why: 'conflict',
      });
      expect(await store.leases()).toHaveLength(1);
    });

    describe.each(['expired and had by another', 'taken over', 'given back'])('of a zombie: %s', how => {
      it('let it neither append, renew nor release', async () => {
        const { store, passTime } = current();
        const zombie = await take(store, 'a', 5_000);
        if (how.startsWith('expired')) await passTime(5_001);
        if (how === 'expired and had by another') await take(store, 'b');
        if (how === 'taken over') await store.acquire({ ...WANT, adoptedFence: zombie.fence });
        if (how === 'given back') await store.release(zombie);
        const before = await store.leases();
        expect(await append(store, { lease: zombie })).toEqual({ ok: false, why: 'fenced' });
        expect(await append(store, { lease: zombie, expectedVersion: 9 })).toEqual({
          ok: false,
          why: 'fenced',
        });
        expect(await store.renew(zombie, 60_000)).toBeNull();
        await store.release(zombie);
        expect(await store.leases()).toEqual(before);
        expect(await countEvents(store)).toBe(0);
      });
    });

    it('that are over let nothing be written before they are renewed, which goes while nobody else had them', async () => {
      const { store, passTime } = current();
      const lease = await take(store, 'a', 5_000);
      await passTime(5_001);
      expect(await append(store, { lease })).toEqual({ ok: false, why: 'fenced' });
      const renewed = await store.renew(lease, 60_000);
      expect(renewed).toMatchObject({ fence: lease.fence, token: lease.token });
      expect((await store.acquire(WANT)).ok).toBe(false);
      expect(await append(store, { lease: renewed ?? lease })).toMatchObject({ ok: true });
    });

    it('do not pass with the right fence and the wrong token, nor the other way round', async () => {
      const { store } = current();
      const lease = await take(store);
      for (const forged of [
        { ...lease, token: 'x' },
        { ...lease, fence: lease.fence + 1 },
      ]) {
        expect(await append(store, { lease: forged })).toEqual({ ok: false, why: 'fenced' });
        expect(await store.renew(forged, 1000)).toBeNull();
      }
    });

    it('of different resources do not know each other', async () => {
      const { store } = current();
      const [one, two] = [await take(store, 'a'), await take(store, 'b', 60_000, 'task:2')];
      expect((await store.leases()).map(l => l.resource)).toEqual(['task:1', 'task:2']);
      await store.release(one);
      expect((await store.renew(two, 1000))?.fence).toBe(1);
    });
  });
}
