import { closeSync, fdatasyncSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from './bench-options.ts';
import { type Report, round } from './result.ts';

const FILES = 500;
const FLUSHES = 50;

/** What the disk costs: creating a file differs by a factor of thirty between machines, and so do flushes. */
export async function measureDisk({ dir }: BenchOptions): Promise<Report> {
  const place = join(dir, 'disk');
  mkdirSync(place);
  const createUs = time(FILES, at => writeFileSync(join(place, String(at)), 'x'));
  const file = openSync(join(place, 'flushed'), 'w');
  const flushUs = time(FLUSHES, () => {
    writeSync(file, 'x');
    fdatasyncSync(file);
  });
  closeSync(file);
  return {
    floors: [
      { name: 'file create', value: createUs, unit: 'µs' },
      { name: 'append and flush', value: flushUs, unit: 'µs' },
    ],
    results: [],
  };
}

function time(count: number, work: (at: number) => void): number {
  const startedMs = performance.now();
  for (let at = 0; at < count; at++) work(at);
  return round(((performance.now() - startedMs) * 1000) / count);
}
