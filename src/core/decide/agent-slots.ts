import { getCount } from '../base/text.ts';
import type { MachineReading, MemoryPressure } from '../model/machine.ts';

/** What is known besides the machine itself. */
export interface AgentsSeen {
  /** Agents of ours at work now. */
  readonly active: number;
  /** The most memory that a session was seen to use; null before any was. */
  readonly peakBytes: number | null;
  /** How often in a row the pressure was critical before. */
  readonly criticalBefore?: number;
}

/** How many more may work at once, and why. */
export interface AgentSlots {
  /** Sessions that may be begun beside those at work; at least one. */
  readonly slots: number;
  /** How many agents the machine carries in all. */
  readonly recommended: number;
  /** Suites that may run at the same time; at least one. */
  readonly verificationSlots: number;
  readonly pressure: MemoryPressure;
  /** `wait` for so long and look again; `stop` when that did not help. */
  readonly next: { readonly type: 'go' | 'stop' } | { readonly type: 'wait'; readonly ms: number };
  readonly why: string;
}

const GB = 1024 ** 3;
const MOST_AGENTS = 16;
/** They mostly wait for their model. */
const AGENTS_PER_CORE = 4;
/** The rest is for tests, and for whoever sits at the machine. */
const SHARE = 0.8;
const SLOTS_UNDER_WARNING = 2;
const CRITICAL_PAUSE_MS = 60_000;
const CPU_STALL = 50;

/**
 * How many agents may work at once: by memory and cores, or as another program advises where one was asked. Memory that
 * runs out ends sessions that were paid for, so the worse of both words on it counts.
 */
export function getAgentSlots(reading: MachineReading, seen: AgentsSeen): AgentSlots {
  const { active, criticalBefore = 0 } = seen;
  const { recommended, how } = getRecommended(reading, seen);
  const { pressure, sign } = getMemoryPressure(reading);
  // What another program counts may be more than ours.
  const atWork = Math.max(active, reading.advice?.activeAgents ?? 0);
  const free = Math.max(1, recommended - atWork);
  const slots =
    pressure === 'critical' ? 1 : pressure === 'warn' ? Math.min(SLOTS_UNDER_WARNING, free) : free;
  const verification = getVerificationSlots(reading);
  const words = [
    `${recommended} by ${how}`,
    ...(atWork > 0 ? [`${atWork} at work`] : []),
    ...(pressure === 'normal' ? [] : [`memory pressure is ${pressure} (${sign}): at most ${slots}`]),
    `${getCount(verification.slots, 'verification')} at once by ${verification.how}`,
    ...(reading.battery?.isDischarging ? [`on battery, ${reading.battery.percent} % left`] : []),
    ...(reading.adviceProblem === null ? [] : [reading.adviceProblem]),
  ];
  return {
    ...{ slots, recommended, verificationSlots: verification.slots, pressure },
    next: getNext(pressure, criticalBefore),
    why: words.join('; '),
  };
}

function getRecommended(
  { advice, cores, availableBytes }: MachineReading,
  { active, peakBytes }: AgentsSeen,
): { readonly recommended: number; readonly how: string } {
  if (advice) {
    const recommended = Math.max(1, Math.floor(advice.recommendedAgents));
    return { recommended, how: 'the advice of the hardware endpoint' };
  }
  const each = peakBytes ?? GB;
  // What those at work use is not available any more, and they are part of the number.
  const byMemory = active + Math.floor((SHARE * availableBytes) / each);
  const byCores = AGENTS_PER_CORE * cores;
  const recommended = Math.max(1, Math.min(MOST_AGENTS, byCores, byMemory));
  const memory = `${getGb(availableBytes)} GB of memory at ${getGb(each)} GB each`;
  if (recommended === byMemory || byMemory < 1) return { recommended, how: memory };
  return { recommended, how: recommended === byCores ? getCount(cores, 'core') : 'the limit of all' };
}

interface Pressed {
  readonly pressure: MemoryPressure;
  readonly sign: string;
}

const RANKS: readonly MemoryPressure[] = ['normal', 'warn', 'critical'];

function getMemoryPressure({ advice, ...reading }: MachineReading): Pressed {
  const own = getOwnPressure(reading);
  if (!advice || RANKS.indexOf(advice.memoryPressure) <= RANKS.indexOf(own.pressure)) return own;
  return { pressure: advice.memoryPressure, sign: 'as the hardware endpoint says' };
}

function getOwnPressure({
  memoryStall,
  totalBytes,
  availableBytes,
}: Pick<MachineReading, 'memoryStall' | 'totalBytes' | 'availableBytes'>): Pressed {
  const { some10 = 0, full10 = 0 } = memoryStall ?? {};
  const free = totalBytes > 0 ? (100 * availableBytes) / totalBytes : 100;
  const isFree = `${Math.floor(free)} % free`;
  if (full10 >= 5)
    return { pressure: 'critical', sign: `everything waited for memory ${full10} % of the time` };
  if (free < 7) return { pressure: 'critical', sign: isFree };
  if (some10 >= 10) return { pressure: 'warn', sign: `something waited for memory ${some10} % of the time` };
  return free < 15 ? { pressure: 'warn', sign: isFree } : { pressure: 'normal', sign: isFree };
}

/** Suites use the cores that agents leave idle; agents themselves hardly do. */
function getVerificationSlots({ cores, cpuStall, load1 }: MachineReading) {
  const isBusy = cpuStall ? cpuStall.some10 >= CPU_STALL : load1 !== null && load1 >= 2 * cores;
  if (isBusy) {
    const sign = cpuStall
      ? `programs waited for a core ${cpuStall.some10} % of the time`
      : `a load of ${load1}`;
    return { slots: 1, how: sign };
  }
  return { slots: Math.max(1, Math.floor(cores / 2)), how: getCount(cores, 'core') };
}

function getNext(pressure: MemoryPressure, criticalBefore: number): AgentSlots['next'] {
  if (pressure !== 'critical') return { type: 'go' };
  return criticalBefore > 0 ? { type: 'stop' } : { type: 'wait', ms: CRITICAL_PAUSE_MS };
}

function getGb(bytes: number): string {
  return (bytes / GB).toFixed(1);
}
