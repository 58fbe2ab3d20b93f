import { checkStoreFile } from '../../adapters/store/store-files.ts';
import type { ProofRef } from '../../core/model/facts.ts';
import type { RecordedLanding } from '../../core/proof/audit.ts';
import { getReopened } from '../../core/state/regression.ts';
import { openJournal } from './open-journal.ts';
import type { Project } from './open-project.ts';

/** Landed tasks that this machine's journal has opened again. */
export async function readReopened(project: Project): Promise<ReturnType<typeof getReopened>> {
  if (!checkStoreFile(project.stateDir)) return [];
  return getReopened((await openJournal(project)).state);
}

/** What this machine's journal says about landings, the newest of each task; empty where there is no journal. */
export async function readRecorded(project: Project): Promise<ReadonlyMap<string, RecordedLanding>> {
  const recorded = new Map<string, RecordedLanding>();
  if (!checkStoreFile(project.stateDir)) return recorded;
  const store = await project.store();
  const proofs = new Map<string, ProofRef>();
  for (const { event } of await store.read({ types: ['verdict.given', 'task.landed'] })) {
    if (event.type === 'verdict.given') proofs.set(`${event.attempt} ${event.task}`, event.proof);
    if (event.type !== 'task.landed') continue;
    const proof = proofs.get(`${event.attempt} ${event.task}`) ?? null;
    recorded.set(event.task, { commit: event.commit, proof });
  }
  return recorded;
}
