import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { WorkerRef } from '../../core/model/facts.ts';
import type { Random, Workers } from '../../ports/index.ts';
import { getTmpPrefix, readGroups } from './group-notes.ts';
import { getMachineId, isThisMachine } from './machine-id.ts';
import { getWorkerPrefix } from './marker.ts';
import { getOwnProcess } from './own-process.ts';
import { checkProcess } from './proc.ts';
import { killMarked, killNoted } from './sweep.ts';

export interface WorkerOptions {
  readonly host?: string;
  /** What a person calls it. */
  readonly name?: string | undefined;
  /** Which clone it works in, where several share the records. */
  readonly clone?: string | undefined;
  /** Which of the workers of this process it is, where there are several. */
  readonly lane?: number | undefined;
}

/**
 * Names this process as a worker, and judges the workers that others have recorded. A name that a person gave is the
 * beginning of its id: two processes of one name are two workers, and a dead one's work is not a living one's.
 */
export function createWorkers(random: Random, options: WorkerOptions = {}): Workers {
  const { host = getMachineId(), name = 'w', lane, clone } = options;
  const isHere = (worker: WorkerRef): boolean =>
    worker.host === host || (host === getMachineId() && isThisMachine(worker.host));
  const self: WorkerRef = {
    ...{ ...getOwnProcess(), id: `${name}-${random.token()}`, host },
    ...(clone === undefined ? {} : { clone }),
    ...(lane === undefined ? {} : { lane }),
  };
  return {
    self,
    check: async worker => (isHere(worker) ? checkProcess(worker.pid, worker.startTicks) : 'unknown'),
    reap: async worker => (isHere(worker) ? await reapHere(worker) : 0),
  };
}

async function reapHere(worker: WorkerRef): Promise<number> {
  // An empty id would match everything; no worker of ours has one.
  if (worker.id === '') return 0;
  const { killed } = await killMarked(getWorkerPrefix(worker.id));
  const noted = await killNoted(readGroups(worker.id));
  await removeTmpDirs(worker.id);
  return killed + noted;
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
