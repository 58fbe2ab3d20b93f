import { afterEach, describe, expect, it } from 'vitest';
import { createSimClock, Scheduler } from '../../test/sim/scheduler.ts';
import { wrapStore } from '../../test/support/bench.ts';
import { createMemoryStore } from '../adapters/store/memory-store.ts';
import type { Lease, Store } from '../ports/index.ts';
import { LeaseKeeper, LeaseLost } from './lease-keeper.ts';

const TTL_MS = 60_000;
const BEAT_MS = 15_000;
type Renew = Store['renew'];

const keepers: LeaseKeeper[] = [];
afterEach(async () => {
  await Promise.all(keepers.splice(0).map(keeper => keeper.stop()));
});

/** A holder of one lease, on virtual time; `renew` may stand between it and the store. */
async function hold(renew?: (original: Renew, scheduler: Scheduler) => Renew) {
  const scheduler = new Scheduler();
  const startMs = scheduler.nowMs;
  let token = 0;
  const store = createMemoryStore(
    () => scheduler.nowMs,
    () => `t${++token}`,
  );
  const original = store.renew.bind(store);
  const seen = wrapStore(store, { renew: renew?.(original, scheduler) ?? original });
  const keeper = new LeaseKeeper(seen, createSimClock(scheduler), TTL_MS, BEAT_MS);
  keepers.push(keeper);
  const taken = await store.acquire({ resource: 'task/1', owner: 'w1', ttlMs: TTL_MS });
  if (!taken.ok) throw new Error('not acquired');
  keeper.hold(taken.lease);
  const run = async (ms: number) => {
    const end = { over: false };
    scheduler.after(ms, () => (end.over = true));
    await scheduler.run(() => end.over, 10_000);
  };
  const lostAfterMs = async (): Promise<number | null> => {
    await scheduler.run(() => keeper.signal.aborted || scheduler.nowMs - startMs > 10 * TTL_MS, 10_000);
    return keeper.signal.aborted ? scheduler.nowMs - startMs : null;
  };
  return { store, scheduler, keeper, run, lostAfterMs, lease: taken.lease };
}

const refuse = () => Promise.reject(new Error('the store is away'));

describe('LeaseKeeper', () => {
  it('renews a lease for as long as it is held, far beyond its time', async () => {
    const { store, scheduler, keeper, run } = await hold();
    await run(20 * TTL_MS);
    const [lease] = await store.leases();
    expect(lease?.expiresAtMs).toBeGreaterThan(scheduler.nowMs);
    expect(keeper.signal.aborted).toBe(false);
    expect(keeper.get('task/1')?.expiresAtMs).toBe(lease?.expiresAtMs);
  });

  it('lets a lease run out that it was told to forget', async () => {
    const { store, scheduler, keeper, run } = await hold();
    keeper.forget('task/1');
    await run(2 * TTL_MS);
    expect((await store.leases())[0]?.expiresAtMs).toBeLessThan(scheduler.nowMs);
    expect(keeper.signal.aborted).toBe(false);
    expect(keeper.all()).toEqual([]);
  });

  it('aborts within a heartbeat once somebody else has the lease', async () => {
    const { store, keeper, lostAfterMs, lease } = await hold();
    await store.acquire({ resource: 'task/1', owner: 'w2', ttlMs: TTL_MS, adoptedFence: lease.fence });
    expect(await lostAfterMs()).toBe(BEAT_MS);
    expect(keeper.signal.reason).toBeInstanceOf(LeaseLost);
  });

  it('aborts when it could not renew for 0.8 of a lease, while that is still its own', async () => {
    const { keeper, lostAfterMs, lease, scheduler } = await hold(() => refuse);
    expect(await lostAfterMs()).toBe(0.8 * TTL_MS);
    expect(scheduler.nowMs).toBeLessThan(lease.expiresAtMs);
    expect(String(keeper.signal.reason)).toContain('the store is away');
  });

  it('aborts as early when the store never answers', async () => {
    const { keeper, lostAfterMs } = await hold(() => () => new Promise<Lease | null>(() => undefined));
    expect(await lostAfterMs()).toBe(0.8 * TTL_MS);
    expect(String(keeper.signal.reason)).toContain('did not answer in time');
  });

  it('survives a store that fails for a while', async () => {
    const { keeper, run } = await hold((original, scheduler) => {
      const startMs = scheduler.nowMs;
      return async (lease, ttlMs) => {
        if (scheduler.nowMs - startMs < 0.7 * TTL_MS) throw new Error('busy');
        return original(lease, ttlMs);
      };
    });
    await run(5 * TTL_MS);
    expect(keeper.signal.aborted).toBe(false);
  });

  it('lets a slow but healthy holder live, whose every renewal takes a quarter of its lease', async () => {
    const { keeper, run, store, scheduler } = await hold((original, time) => async (lease, ttlMs) => {
      await time.sleep(TTL_MS / 8);
      const renewed = await original(lease, ttlMs);
      await time.sleep(TTL_MS / 8);
      return renewed;
    });
    await run(20 * TTL_MS);
    expect(keeper.signal.aborted).toBe(false);
    expect((await store.leases())[0]?.expiresAtMs).toBeGreaterThan(scheduler.nowMs);
  });

  it('asks once more after a long sleep before it gives up', async () => {
    const { keeper, run, scheduler } = await hold();
    scheduler.nowMs += 0.9 * TTL_MS;
    await run(2 * TTL_MS);
    expect(keeper.signal.aborted).toBe(false);
  });

  it('takes its lease again after a sleep that was longer, when nobody else wanted it', async () => {
    const { store, keeper, run, scheduler } = await hold();
    scheduler.nowMs += 2 * TTL_MS;
    await run(2 * BEAT_MS);
    expect(keeper.signal.aborted).toBe(false);
    expect((await store.leases())[0]?.expiresAtMs).toBeGreaterThan(scheduler.nowMs);
  });

  it('gives up after a sleep in which somebody else took the lease', async () => {
    const { store, keeper, run, scheduler } = await hold();
    scheduler.nowMs += 2 * TTL_MS;
    expect((await store.acquire({ resource: 'task/1', owner: 'w2', ttlMs: TTL_MS })).ok).toBe(true);
    await run(2 * BEAT_MS);
    expect(keeper.signal.aborted).toBe(true);
  });

  it('does not mistake a lease taken anew for the one it was renewing', async () => {
    const { keeper, run, store, lease } = await hold((original, time) => async (held, ttlMs) => {
      await time.sleep(5_000);
      return original(held, ttlMs);
    });
    await run(BEAT_MS + 1_000);
    await store.release(lease);
    const again = await store.acquire({ resource: 'task/1', owner: 'w1', ttlMs: TTL_MS });
    if (again.ok) keeper.hold(again.lease);
    await run(3 * BEAT_MS);
    expect(keeper.signal.aborted).toBe(false);
    expect(keeper.get('task/1')?.fence).toBe(2);
  });

  it('does not wait for a store that hangs when it is stopped', async () => {
    const { keeper, run } = await hold(() => () => new Promise<Lease | null>(() => undefined));
    await run(BEAT_MS + 1_000);
    await keeper.stop();
    expect(keeper.signal.aborted).toBe(false);
  });

  it('is quiet once it has been stopped', async () => {
    const { keeper, run, store, scheduler } = await hold();
    await keeper.stop();
    await run(2 * TTL_MS);
    expect((await store.leases())[0]?.expiresAtMs).toBeLessThan(scheduler.nowMs);
  });
});
