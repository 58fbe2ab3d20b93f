/** A moment on the store's clock, and what the machine's clock said then. */
export interface ClockMark {
  readonly ms: number;
  readonly wallMs: number;
}

export interface StoreClock {
  /** The store's time now, given the newest recorded mark and the machine's clock. */
  now(recorded: ClockMark | null, wallMs: number): number;
}

/**
 * The store's time: the machine's clock as long as that behaves, and never before a recorded moment.
 *
 * - The machine's clock jumps ahead: leases may run out early. Their holders renew them, unless somebody
 *   else was there first: then they are fenced, which is safe.
 * - It jumps back: the store's clock stands where it was and goes on from there at nine tenths of the
 *   speed until the machine's clock has caught up. Time that goes on is what ends a dead holder's lease;
 *   simply waiting for the machine's clock would keep that lease alive for as long as the jump was.
 *   A lease then lasts at most a ninth longer than it says, and holders stop themselves well before.
 */
export function getStoreTime(mark: ClockMark, wallMs: number): number {
  const elapsedMs = Math.max(0, wallMs - mark.wallMs);
  return Math.max(wallMs, mark.ms + elapsedMs - Math.floor(elapsedMs / 10));
}

/** Remembers what this process has been told, so that its time never goes back between two writes. */
export function createStoreClock(): StoreClock {
  let seen: ClockMark | null = null;
  return {
    now(recorded, wallMs) {
      let ms = wallMs;
      if (recorded) ms = Math.max(ms, getStoreTime(recorded, wallMs));
      if (seen) ms = Math.max(ms, getStoreTime(seen, wallMs));
      seen = { ms, wallMs };
      return ms;
    },
  };
}
