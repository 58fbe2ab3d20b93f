import { ReadySet } from '../../src/core/state/ready-set.ts';
import type { BenchOptions } from '../bench-options.ts';
import { getMedian, getRatioResult, type Report, round } from '../result.ts';

const LIMIT_US = 5;
const PICKS = 5_000;
const ROUNDS = 9;

/** Taking the next one of very many ready tasks, in processor time: so short a thing is lost in what else a machine does. */
export function measurePick({ quick, say }: BenchOptions): Report {
  const tasks = quick ? 10_000 : 100_000;
  say(`  a pick among ${tasks} tasks`);
  const pickUs = getMedian(Array.from({ length: ROUNDS }, () => time(fill(tasks))));
  return {
    floors: [{ name: `a pick among ${tasks} tasks`, value: round(pickUs), unit: 'µs' }],
    results: [getRatioResult(`scale-pick-over-${LIMIT_US}-us`, 1, pickUs, LIMIT_US)],
  };
}

/** In no order, as priorities and sizes would have them. */
function fill(tasks: number): ReadySet {
  const ready = new ReadySet();
  for (let at = 0; at < tasks; at++) ready.set(String(at), String((at * 7_919) % tasks).padStart(8, '0'));
  return ready;
}

function time(ready: ReadySet): number {
  const before = process.cpuUsage();
  for (let at = 0; at < PICKS; at++) {
    const id = ready.peek();
    if (id === null) throw new Error('there is nothing left to pick');
    ready.set(id, null);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / PICKS;
}
