/** How much of the last ten seconds something waited, in percent: some of it, and all of it at once. */
export interface Stall {
  readonly some10: number;
  readonly full10: number;
}

export type MemoryPressure = 'normal' | 'warn' | 'critical';

/** What another program that shares out this machine says of it. */
export interface Advice {
  readonly recommendedAgents: number;
  readonly memoryPressure: MemoryPressure;
  /** Agents that it knows of; null where it does not say. */
  readonly activeAgents: number | null;
}

/** What a machine has to give at one moment; null for whatever cannot be seen here. */
export interface MachineReading {
  /** Those that this process may use. */
  readonly cores: number;
  /** Programs that ran or wanted to, over the last minute. */
  readonly load1: number | null;
  /** Of the machine, or of the container where that has less. */
  readonly totalBytes: number;
  readonly availableBytes: number;
  readonly cpuStall: Stall | null;
  readonly memoryStall: Stall | null;
  readonly battery: { readonly percent: number; readonly isDischarging: boolean } | null;
  readonly advice: Advice | null;
  /** Why an advice that was asked for is missing. */
  readonly adviceProblem: string | null;
}
