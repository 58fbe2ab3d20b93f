import { closeSync, existsSync, openSync, renameSync, statfsSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/adapters/store/driver.ts';

/**
 * What happens at a failpoint:
 *
 *   kill     the process dies
 *   lose     the cache folder goes away; the process goes on
 *   fill     the disk is full from then on, but for so many kilobytes
 *   step     the time of day is put forward (or back) by so many seconds
 *   sleep    so many seconds pass in which nothing ran
 *   cut      the connection to another machine breaks: what was asked there may have been done, its answer is lost
 */
export const HARMS = ['kill', 'lose', 'fill', 'step', 'sleep', 'cut'] as const;

export type Harm = (typeof HARMS)[number];

/** What is to happen to a run, at the so-many-th time it comes past that name. */
export interface Order {
  readonly harm: Harm;
  readonly amount: number;
  readonly name: string;
  readonly hit: number;
}

/** The points at which something can happen to the process, and a record of all it came past. */
export interface Failpoints {
  /** Comes past a point, and suffers there when it is the one. */
  pass(name: string): void;
  /** Whether this is the point of a kill; the caller leaves things as a kill would, then dies. */
  isDue(name: string): boolean;
  die(): never;
  hasPassed(name: string): boolean;
}

/** What can be taken away or filled up in the folder of one round. */
export interface Ground {
  readonly cache: string;
  readonly filler: string;
  readonly store: string;
}

/** Counts every name, writes each down, and does what the order says where it says so. */
export function createFailpoints(order: Order | null, recordPath: string, ground: Ground): Failpoints {
  const record = openSync(recordPath, 'a');
  const write = writeSync;
  const suffer = createHarms(ground);
  const counts = new Map<string, number>();
  const die = (): never => {
    closeSync(record);
    process.kill(process.pid, 'SIGKILL');
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
  const isReached = (name: string): boolean => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    write(record, `${name}\n`);
    return order?.name === name && order.hit === count;
  };
  const isDue = (name: string): boolean => {
    if (!isReached(name) || !order) return false;
    if (order.harm === 'kill') return true;
    suffer[order.harm](order.amount);
    return false;
  };
  return { isDue, die, pass: name => void (isDue(name) && die()), hasPassed: name => counts.has(name) };
}

/** Made before the file system is watched: harms are no steps of the harness. */
function createHarms({
  cache,
  filler,
  store,
}: Ground): Record<Exclude<Harm, 'kill'>, (amount: number) => void> {
  const [rename, statfs, writeFile] = [renameSync, statfsSync, writeFileSync];
  const shift = (target: { now(): number }, ms: number): void => {
    const original = target.now.bind(target);
    Object.defineProperty(target, 'now', {
      value: () => original() + ms,
      configurable: true,
      writable: true,
    });
  };
  return {
    lose: () => rename(cache, `${cache}-lost-${process.pid}`),
    fill: leftKb => {
      const { bavail, bsize } = statfs(join(filler, '..'));
      const bytes = bavail * bsize - leftKb * 1024;
      // Never a disk that is anybody's: only the small one of a round.
      if (bytes > 0 && bytes < 64 * 1024 ** 2) writeFile(filler, Buffer.alloc(bytes));
    },
    step: seconds => {
      shift(Date, seconds * 1000);
      putStoreForward(store, Math.abs(seconds) * 1000);
    },
    sleep: seconds => {
      shift(Date, seconds * 1000);
      putStoreForward(store, seconds * 1000);
      shift(performance, seconds * 1000);
    },
    cut: () => {
      throw Object.assign(new Error('the connection was cut'), { code: 'ECONNRESET' });
    },
  };
}

/** The store has its time from SQLite: somebody else with a clock that is ahead has just written to it. */
function putStoreForward(path: string, ms: number): void {
  if (!existsSync(path)) return;
  const db = openDatabase(path);
  try {
    db.exec(`UPDATE clock SET ms = ms + ${ms}, wall_ms = wall_ms + ${ms}`);
  } catch {
    // No clock in it yet.
  } finally {
    db.close();
  }
}

/** `lose:name#3`, `fill@64:name#1`; a kill, the first time and nothing where that is not said. */
export function parseOrder(text: string | undefined): Order | null {
  if (!text) return null;
  const [, harm = 'kill', amount = '0', name = '', hit = '1'] =
    new RegExp(`^(?:(${HARMS.join('|')})(?:@(-?\\d+))?:)?(.+?)(?:#(\\d+))?$`).exec(text) ?? [];
  return { harm: harm as Harm, amount: Number(amount), name, hit: Number(hit) };
}
