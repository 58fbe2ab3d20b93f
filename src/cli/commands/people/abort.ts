import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isThisMachine } from '../../../adapters/process/machine-id.ts';
import { readPersonName, recordWord } from '../../../app/people/person.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject, type Project } from '../../../app/project/open-project.ts';
import { openProjectStore } from '../../../app/project/open-record.ts';
import { readLiving } from '../../../app/project/read-living.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import type { WorkerRef } from '../../../core/model/facts.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { askYes, canAsk } from './ask.ts';

export interface AbortOptions extends CommonOptions {
  readonly reason?: string;
  readonly by?: string;
  readonly clear?: boolean;
  readonly yes?: boolean;
}

/** What people put into the state directory themselves, and what was cleared before. */
const NOT_OURS = ['backups', 'held-out', 'prompts', 'signals', 'inbox', 'context', '.gitignore'];

/** `harness abort`: ends every run on this machine at once. Commits and records stay unless they are to be cleared. */
export async function abort(io: Io, options: AbortOptions): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  if (options.clear) await confirm(io, options.yes ?? false);
  const by = await readPersonName(project.root, options.by);
  const reason = options.reason?.trim() || 'aborted';
  const stopped = await stopAll(project, { by, reason });
  const left = stopped.filter(({ isGone }) => !isGone).map(({ pid }) => pid);
  if (left.length > 0) {
    const fix = 'harness status shows what they do; harness abort once more asks them again';
    throw new HarnessError('locked', `still running: pid ${left.join(', ')}`, { fix });
  }
  const backup = options.clear ? clear(project.stateDir) : null;
  const ended = stopped.map(({ pid }) => pid);
  const next = options.clear ? 'harness status' : 'harness run --all   (goes on where it stopped)';
  if (options.json) {
    io.out(JSON.stringify({ ended, cleared: backup !== null, backup, next }));
    return;
  }
  io.out(ended.length > 0 ? `ended: pid ${ended.join(', ')}; what was landed stays` : 'nothing is running');
  if (backup) io.out(`the records are cleared; a copy is in ${backup}`);
  io.out(`next: ${next}`);
}

async function confirm(io: Io, isSure: boolean): Promise<void> {
  if (isSure) return;
  if (canAsk(io)) {
    io.err('This ends every run and clears what the harness has recorded; commits stay as they are.');
    if (await askYes('Clear it?')) return;
    throw new HarnessError('cancelled', 'nothing was changed', {
      fix: 'harness abort stops without clearing',
    });
  }
  const fix = 'harness abort --clear --yes';
  throw new HarnessError('usage', 'clearing the records needs a yes', { field: '--yes', fix });
}

/** Told in the record first, so that none begins another attempt; then by a signal, which each takes as Ctrl-C. */
async function stopAll(
  project: Project,
  said: { readonly by: string; readonly reason: string },
): Promise<readonly { readonly pid: number; readonly isGone: boolean }[]> {
  const store = await openProjectStore(project);
  try {
    const { state } = await recordWord(store, now =>
      now.workers.size > 0 ? [{ type: 'control.changed', mode: 'stopped', ...said }] : [],
    );
    const here = (await readLiving(state)).filter(({ host }) => isThisMachine(host));
    for (const { pid } of here) process.kill(pid, 'SIGTERM');
    return await Promise.all(
      here.map(async worker => ({ pid: worker.pid, isGone: await waitForEnd(worker) })),
    );
  } finally {
    await store.close();
  }
}

const WAIT_MS = 100;
const MAX_WAITS = 300;

async function waitForEnd(worker: WorkerRef): Promise<boolean> {
  const workers = new Map([[worker.id, worker]]);
  for (let i = 0; i < MAX_WAITS; i++) {
    if ((await readLiving({ workers })).length === 0) return true;
    await sleep(WAIT_MS);
  }
  return false;
}

/** Puts everything that was recorded aside, as it is. */
function clear(stateDir: string): string | null {
  if (!existsSync(stateDir)) return null;
  const name = `aborted-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  const backup = join(stateDir, 'backups', name);
  mkdirSync(backup, { recursive: true });
  for (const entry of readdirSync(stateDir)) {
    if (!NOT_OURS.includes(entry)) renameSync(join(stateDir, entry), join(backup, entry));
  }
  return backup;
}
