import { readdir } from 'node:fs/promises';
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { MachineReading, Stall } from '../../core/model/machine.ts';
import type { Sensors } from '../../ports/index.ts';
import { askAdvice } from './ask-advice.ts';
import { type ContainerLimits, readContainerLimits } from './container-limits.ts';
import { readKernelFile, readKernelNumber } from './read-file.ts';

interface SensorOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where `proc` and `sys` are. */
  readonly root?: string;
}

/** Reads what the machine tells of itself; what it does not tell is null, and nothing here throws. */
export function createSensors({ env, root = '/' }: SensorOptions): Sensors {
  return {
    readMachine: async (): Promise<MachineReading> => {
      const [limits, cpuStall, memoryStall, battery, asked] = await Promise.all([
        readContainerLimits(root),
        readStall(root, 'cpu'),
        readStall(root, 'memory'),
        readBattery(root),
        askAdvice(env.CENTURION_PORT),
      ]);
      return { ...getMachine(limits), cpuStall, memoryStall, battery, ...asked };
    },
  };
}

function getMachine({ memory, cores }: ContainerLimits) {
  const [load1 = 0] = loadavg();
  const own = availableParallelism();
  // Not in every Node that we run on, and 0 where it is not known.
  const availableBytes = process.availableMemory?.() || freemem();
  return {
    cores: cores === null ? own : Math.max(1, Math.min(own, Math.floor(cores))),
    // Windows has none and says 0.
    load1: process.platform === 'win32' ? null : load1,
    totalBytes: Math.min(totalmem(), memory?.limitBytes ?? Number.POSITIVE_INFINITY),
    availableBytes: Math.min(availableBytes, memory?.freeBytes ?? Number.POSITIVE_INFINITY),
  };
}

/** Lines such as `some avg10=0.33 avg60=7.24 avg300=4.13 total=19186006`; older kernels have no `full` for the cores. */
async function readStall(root: string, of: 'cpu' | 'memory'): Promise<Stall | null> {
  const text = (await readKernelFile(join(root, 'proc/pressure', of))) ?? '';
  const find = (word: string) => new RegExp(`^${word} avg10=([\\d.]+)`, 'm').exec(text)?.[1];
  const some = find('some');
  return some === undefined ? null : { some10: Number(some), full10: Number(find('full') ?? 0) };
}

/** The machine's own; mice and headsets have batteries, too. */
async function readBattery(root: string): Promise<MachineReading['battery']> {
  const folder = join(root, 'sys/class/power_supply');
  for (const name of await readdir(folder).catch(() => [])) {
    const read = (file: string) => readKernelFile(join(folder, name, file));
    if ((await read('type')) !== 'Battery' || (await read('scope')) === 'Device') continue;
    const percent = await readKernelNumber(join(folder, name, 'capacity'));
    if (percent !== null) return { percent, isDischarging: (await read('status')) === 'Discharging' };
  }
  return null;
}
