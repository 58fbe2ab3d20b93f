import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../ports.ts';
import { openStore } from './open-store.ts';
import { createStoreClock, getStoreTime } from './store-clock.ts';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

describe('getStoreTime', () => {
  it('is the machine’s clock as long as that goes forward', () => {
    expect(getStoreTime({ ms: 1000, wallMs: 1000 }, 1700)).toBe(1700);
  });

  it('stands still when the machine’s clock goes back, then goes on', () => {
    const mark = { ms: HOUR_MS * 5, wallMs: HOUR_MS };
    expect(getStoreTime(mark, HOUR_MS)).toBe(HOUR_MS * 5);
    expect(getStoreTime(mark, HOUR_MS + 1000)).toBe(HOUR_MS * 5 + 900);
  });

  it('comes back to the machine’s clock in the end', () => {
    expect(getStoreTime({ ms: HOUR_MS, wallMs: 0 }, 20 * HOUR_MS)).toBe(20 * HOUR_MS);
  });

  it('does not stand still under writes that are a millisecond apart', () => {
    let mark = { ms: HOUR_MS, wallMs: 0 };
    for (let wallMs = 1; wallMs <= 1000; wallMs++) mark = { ms: getStoreTime(mark, wallMs), wallMs };
    expect(mark.ms).toBe(HOUR_MS + 1000);
  });
});

it('a process never sees the store’s time go back, whatever the machine’s clock does', () => {
  const jumps = fc.array(fc.integer({ min: -YEAR_MS, max: YEAR_MS }), { maxLength: 30 });
  fc.assert(
    fc.property(jumps, walls => {
      const clock = createStoreClock();
      const times = walls.map(offset => clock.now(null, 3 * YEAR_MS + offset));
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }),
  );
});

describe.each([
  ['an hour ahead', HOUR_MS],
  ['a year ahead', YEAR_MS],
  ['an hour back', -HOUR_MS],
  ['a year back', -YEAR_MS],
])('when the machine’s clock jumps %s', (_, jumpMs) => {
  it('a lease is never held by two, and a dead holder’s ends after its own time, give or take a ninth', async () => {
    await withStores(async (holder, waiter, setWall) => {
      const startMs = 3 * YEAR_MS;
      const request = { resource: 'task:1', owner: 'holder', ttlMs: 60_000 };
      const taken = await holder.acquire(request);
      if (!taken.ok) throw new Error('held');
      setWall(startMs + jumpMs);
      const first = await waiter.acquire({ ...request, owner: 'waiter' });
      expect(first.ok).toBe(jumpMs > 0);
      if (first.ok) {
        const late = { stream: 's', expectedVersion: 0, events: [], atMs: 0, lease: taken.lease };
        expect(await holder.append(late)).toEqual({ ok: false, why: 'fenced' });
        return;
      }
      setWall(startMs + jumpMs + 59_000);
      expect((await waiter.acquire({ ...request, owner: 'waiter' })).ok).toBe(false);
      setWall(startMs + jumpMs + 67_000);
      expect((await waiter.acquire({ ...request, owner: 'waiter' })).ok).toBe(true);
      expect(await holder.renew(taken.lease, 60_000)).toBeNull();
    });
  });
});

async function withStores(
  use: (holder: Store, waiter: Store, setWall: (ms: number) => void) => Promise<void>,
): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), 'harness-clock-'));
  let wall = 3 * YEAR_MS;
  const holder = await openStore({ stateDir, wallMs: () => wall });
  const waiter = await openStore({ stateDir, wallMs: () => wall });
  try {
    await use(holder, waiter, ms => {
      wall = ms;
    });
  } finally {
    await holder.close();
    await waiter.close();
    rmSync(stateDir, { recursive: true });
  }
}
