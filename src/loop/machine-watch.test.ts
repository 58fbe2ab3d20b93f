import { describe, expect, it } from 'vitest';
import type { MachineReading } from '../core/model/machine.ts';
import { MachineWatch } from './machine-watch.ts';

const GB = 1024 ** 3;
const reading = (freeGb: number): MachineReading => ({
  ...{ cores: 8, load1: 0, totalBytes: 100 * GB, availableBytes: freeGb * GB },
  ...{ memoryStall: null, cpuStall: null, battery: null, advice: null, adviceProblem: null },
});

/** A machine whose memory and time a test moves. */
function open() {
  const now = { ms: 0, freeGb: 50, looks: 0 };
  const clock = { nowMs: () => now.ms, monotonicMs: () => now.ms, sleep: async () => undefined };
  const readMachine = async () => {
    now.looks++;
    return reading(now.freeGb);
  };
  return { now, watch: new MachineWatch({ readMachine }, clock) };
}

describe('the watch of the machine', () => {
  it('limits nobody while there is memory, and looks once for all who ask within five seconds', async () => {
    const { now, watch } = open();
    expect(await watch.look(1)).toMatchObject({ atOnce: null, isOver: false });
    await watch.look(1);
    expect(now.looks).toBe(1);
    now.ms = 5_000;
    now.freeGb = 10;
    expect(await watch.look(1)).toMatchObject({ atOnce: 2, isOver: false });
  });

  it('is over only once memory has been critical for a minute on end', async () => {
    const { now, watch } = open();
    now.freeGb = 5;
    expect(await watch.look(0)).toMatchObject({ atOnce: 1, isOver: false });
    now.ms = 30_000;
    now.freeGb = 50;
    expect(await watch.look(0)).toMatchObject({ atOnce: null });
    now.ms = 60_000;
    now.freeGb = 5;
    expect(await watch.look(0)).toMatchObject({ isOver: false });
    now.ms = 120_000;
    expect(await watch.look(0)).toMatchObject({ isOver: true });
  });
});
