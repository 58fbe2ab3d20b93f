import type { QuickIndex } from '../../adapters/store/quick-index.ts';
import type { ProofRef } from '../../core/model/facts.ts';
import type { RecordedLanding } from '../../core/proof/audit.ts';
import { getReopened, isDoneByHand } from '../../core/state/regression.ts';
import { Journal } from '../../loop/journal.ts';
import type { Store } from '../../ports/index.ts';
import { isRecorded, openProjectStore, type Place, type ProjectStore } from './store/open-project-store.ts';

/** What has been recorded of a project. It is opened when it is first asked for, and closed with the project. */
export interface OpenRecord {
  /** Created where there has never been one; whoever is about to write much has every page of it read first. */
  store(options?: { readonly quickCheck: boolean }): Promise<Store>;
  /** What `status` and `next` are answered from, as of now; to be closed by whoever asks. */
  readIndex(): Promise<QuickIndex>;
  close(): Promise<void>;
}

/** One store for whatever a use case does. */
export function createRecord(place: Place): OpenRecord {
  let opened: Promise<ProjectStore> | null = null;
  const open = (options?: { readonly quickCheck: boolean }) => {
    opened ??= openProjectStore(place, options);
    return opened;
  };
  return {
    store: async options => (await open(options)).store,
    readIndex: async () => (await open()).readIndex(),
    async close() {
      const closing = opened;
      opened = null;
      await (await closing?.catch(() => null))?.store.close();
    },
  };
}

/** What has been recorded, as it is now or was then; what is recorded with it is told to nobody. */
export async function openJournal(project: Pick<OpenRecord, 'store'>, upToSeq?: number): Promise<Journal> {
  const journal = new Journal(await project.store(), async () => undefined);
  await journal.refresh(upToSeq);
  return journal;
}

type Recorded = OpenRecord & Pick<Place, 'stateDir' | 'config'>;

/** Landed tasks that this machine's journal has opened again. */
export async function readReopened(project: Recorded): Promise<ReturnType<typeof getReopened>> {
  if (!isRecorded(project)) return [];
  return getReopened((await openJournal(project)).state);
}

/** Tasks that a person did, and that this machine saw proven by their tests. */
export async function readDoneByHand(project: Recorded): Promise<readonly string[]> {
  if (!isRecorded(project)) return [];
  const { tasks } = (await openJournal(project)).state;
  return [...tasks.values()].filter(isDoneByHand).map(({ def }) => def.id);
}

/** What this machine's journal says about landings, the newest of each task; empty where there is no journal. */
export async function readRecorded(project: Recorded): Promise<ReadonlyMap<string, RecordedLanding>> {
  const recorded = new Map<string, RecordedLanding>();
  if (!isRecorded(project)) return recorded;
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
