import type { WorkerRef } from '../../core/model/facts.ts';
import { getMachineId, isThisMachine } from './machine-id.ts';
import { checkProcess, getProcessTable, readProcess } from './proc.ts';

/** A process by what nobody else ever has: a number may be used again, with its start it is not. */
export type ProcessRef = Omit<WorkerRef, 'id'>;

const own = new Map<string, ProcessRef>();

/** This process, as it is written down for others to judge. */
export function getOwnProcess(): ProcessRef {
  const { kind } = getProcessTable();
  const known = own.get(kind);
  if (known) return known;
  const { pid } = process;
  const self = { host: getMachineId(), pid, startTicks: readProcess(pid)?.startTicks ?? '' };
  own.set(kind, self);
  return self;
}

/** Whether a process that was written down still lives; nobody can tell of one on another machine. */
export function checkWritten({ host, pid, startTicks }: ProcessRef): 'alive' | 'dead' | 'unknown' {
  return isThisMachine(host) ? checkProcess(pid, startTicks) : 'unknown';
}
