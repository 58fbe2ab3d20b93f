import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../ports/index.ts';
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
    await withStores(async (holder, tryToTake, setWall) => {
      const taken = await holder.acquire({ ...REQUEST, owner: 'holder' });
      if (!taken.ok) throw new Error('held');
      setWall(START_MS + jumpMs);
      const isFree = await tryToTake();
      expect(isFree).toBe(jumpMs > 0);
      if (!isFree) {
        setWall(START_MS + jumpMs + 59_000);
        expect(await tryToTake()).toBe(false);
        setWall(START_MS + jumpMs + 67_000);
        expect(await tryToTake()).toBe(true);
      }
      const late = { stream: 's', expectedVersion: 0, events: [], atMs: 0, lease: taken.lease };
      expect(await holder.append(late)).toEqual({ ok: false, why: 'fenced' });
      expect(await holder.renew(taken.lease, 60_000)).toBeNull();
    });
  });
});

const START_MS = 3 * YEAR_MS;
const REQUEST = { resource: 'task:1', ttlMs: 60_000 };

/** Each try comes from a store opened for it, as by a command that is run again: it remembers nothing. */
async function withStores(
  use: (holder: Store, tryToTake: () => Promise<boolean>, setWall: (ms: number) => void) => Promise<void>,
): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), 'harness-clock-'));
  let wall = START_MS;
  const wallMs = () => wall;
  const holder = await openStore({ stateDir, wallMs });
  const tryToTake = async () => {
    const store = await openStore({ stateDir, wallMs });
    const { ok } = await store.acquire({ ...REQUEST, owner: 'waiter' });
    await store.close();
    return ok;
  };
  try {
    await use(holder, tryToTake, ms => {
      wall = ms;
    });
  } finally {
    await holder.close();
    rmSync(stateDir, { recursive: true });
  }
}
