import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { WorkerRef } from '../../core/event.ts';
import type { Random, Workers } from '../../ports.ts';
import { getWorkerPrefix } from './marker.ts';
import { hasProc, readProcess } from './proc.ts';
import { getTmpPrefix } from './spawn-contained.ts';
import { killMarked } from './sweep.ts';

/** Names this process as a worker, and judges the workers that others have recorded. */
export function createWorkers(random: Random, host: string): Workers {
  const self: WorkerRef = {
    id: `w-${random.token()}`,
    host,
    pid: process.pid,
    startTicks: readProcess(process.pid)?.startTicks ?? '',
  };
  return {
    self,
    check: async worker => (worker.host === host ? checkHere(worker) : 'unknown'),
    reap: async worker => (worker.host === host ? await reapHere(worker) : 0),
  };
}

function checkHere(worker: WorkerRef): 'alive' | 'dead' | 'unknown' {
  if (!hasProc || worker.startTicks === '') return hasPid(worker.pid) ? 'unknown' : 'dead';
  const found = readProcess(worker.pid);
  const isSame = found !== null && !found.isZombie && found.startTicks === worker.startTicks;
  return isSame ? 'alive' : 'dead';
}

function hasPid(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function reapHere(worker: WorkerRef): Promise<number> {
  // An empty id would match everything; no worker of ours has one.
  if (worker.id === '') return 0;
  const { killed } = await killMarked(getWorkerPrefix(worker.id));
  await removeTmpDirs(worker.id);
  return killed;
}

/** The private temporary directories of runs that were cut off with their harness. */
async function removeTmpDirs(workerId: string): Promise<void> {
  const prefix = getTmpPrefix(workerId);
  const parent = dirname(prefix);
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(basename(prefix))) continue;
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
