import { HarnessError } from '../../core/base/failure.ts';
import type { Database, Statement } from './driver.ts';
import { getMovedError, MOVED_KEY } from './moved.ts';
import type { ClockMark, StoreClock } from './store-clock.ts';

/** What every storage action works with. */
export interface StoreContext {
  readonly db: Database;
  readonly path: string;
  readonly clock: StoreClock;
  readonly token: () => string;
  /** The machine's clock; null asks SQLite, so that the store's process needs no other. */
  readonly wallMs: (() => number) | null;
  /** The layout this process opened; a write on any other is refused. */
  readonly schema: number;
  /** Prepares each statement once. */
  readonly sql: (text: string) => Statement;
}

/** The time of one transaction, and how to record it. */
export interface Moment {
  readonly nowMs: number;
  /** Records the time with whatever else the transaction writes. */
  record(): void;
  /** Records it for a refusal too, but only when the machine's clock has gone back. */
  recordJump(): void;
}

export function readMoment(context: StoreContext): Moment {
  const row = context.sql(READ_CLOCK).get() as {
    sqlMs: number;
    schema: number;
    moved: string | null;
    ms: number | null;
    markWallMs: number | null;
  };
  if (row.schema !== context.schema) throw getMigratedError(context.path);
  if (row.moved !== null) throw getMovedError(context.path, row.moved);
  const wallMs = context.wallMs ? context.wallMs() : row.sqlMs;
  const mark: ClockMark | null =
    row.ms === null || row.markWallMs === null ? null : { ms: row.ms, wallMs: row.markWallMs };
  const nowMs = context.clock.now(mark, wallMs);
  const record = () => {
    context.sql('INSERT OR REPLACE INTO clock (one, ms, wall_ms) VALUES (1, ?, ?)').run(nowMs, wallMs);
  };
  return {
    nowMs,
    record,
    recordJump: () => {
      if (mark && wallMs < mark.wallMs) record();
    },
  };
}

const READ_CLOCK = `SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER) AS sqlMs,
  (SELECT user_version FROM pragma_user_version) AS schema,
  (SELECT value FROM meta WHERE key = '${MOVED_KEY}') AS moved,
  (SELECT ms FROM clock) AS ms, (SELECT wall_ms FROM clock) AS markWallMs`;

function getMigratedError(path: string): HarnessError {
  return new HarnessError('state', `${path} was migrated by a newer Harness while this one was running`, {
    file: path,
    fix: 'start this command again with the newer version',
  });
}
