import { closeSync, openSync, writeSync } from 'node:fs';

/** Where a run is to be killed: at the so-many-th time it comes past that name. */
export interface KillOrder {
  readonly name: string;
  readonly hit: number;
}

/** The points at which the process can die, and a record of all it came past. */
export interface Failpoints {
  /** Comes past a point, and dies there when it is the one. */
  pass(name: string): void;
  /** Whether this is the point; the caller leaves things as a kill would, then dies. */
  isDue(name: string): boolean;
  die(): never;
}

/** Counts every name, writes each down, and kills the process with SIGKILL where the order says. */
export function createFailpoints(order: KillOrder | null, recordPath: string): Failpoints {
  const record = openSync(recordPath, 'a');
  const write = writeSync;
  const counts = new Map<string, number>();
  const die = (): never => {
    closeSync(record);
    process.kill(process.pid, 'SIGKILL');
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
  const isDue = (name: string): boolean => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    write(record, `${name}\n`);
    return order?.name === name && order.hit === count;
  };
  return { isDue, die, pass: name => void (isDue(name) && die()) };
}

/** `name#3` as an order; the first time when no number is given. */
export function parseOrder(text: string | undefined): KillOrder | null {
  if (!text) return null;
  const at = text.lastIndexOf('#');
  return at < 0 ? { name: text, hit: 1 } : { name: text.slice(0, at), hit: Number(text.slice(at + 1)) };
}
