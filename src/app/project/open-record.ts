import { createStateDir } from '../../adapters/artifacts/state-dir.ts';
import { openStore } from '../../adapters/store/open-store.ts';
import { checkStoreFile } from '../../adapters/store/store-files.ts';
import type { Config } from '../../config/sections/schema.ts';
import type { ProofRef } from '../../core/model/facts.ts';
import type { RecordedLanding } from '../../core/proof/audit.ts';
import { getReopened, isDoneByHand } from '../../core/state/regression.ts';
import { Journal } from '../../loop/journal.ts';
import type { Store } from '../../ports/index.ts';

/** What has been recorded of a project. It is opened when it is first asked for, and closed with the project. */
export interface OpenRecord {
  /** Created where there has never been one; whoever is about to write much has every page of it read first. */
  store(options?: { readonly quickCheck: boolean }): Promise<Store>;
  close(): Promise<void>;
}

interface Place {
  readonly stateDir: string;
  readonly config: Config;
  readonly warn?: (text: string) => void;
}

/** One store for whatever a use case does. */
export function createRecord(place: Place): OpenRecord {
  let opened: Promise<Store> | null = null;
  return {
    store(options) {
      opened ??= openProjectStore(place, options);
      return opened;
    },
    async close() {
      const closing = opened;
      opened = null;
      await (await closing?.catch(() => null))?.close();
    },
  };
}

/** A store of one's own, to be closed by whoever opened it. */
export async function openProjectStore(
  { stateDir, config, warn = () => undefined }: Place,
  { quickCheck } = { quickCheck: false },
): Promise<Store> {
  createStateDir(stateDir);
  const { on_older_state, on_newer_state, backup_before_migrate } = config.compatibility;
  return openStore({
    stateDir,
    quickCheck,
    onOlderState: on_older_state,
    onNewerState: on_newer_state,
    backupBeforeMigrate: backup_before_migrate,
    onWarning: warn,
    onMigrated: ({ from, to, backup }) => {
      const copy = backup === null ? 'without a backup' : `the old ones are in ${backup}`;
      if (from > 0) warn(`the records were migrated from schema v${from} to v${to}; ${copy}`);
    },
  });
}

/** What has been recorded, as it is now; what is recorded with it is told to nobody. */
export async function openJournal(project: OpenRecord): Promise<Journal> {
  const journal = new Journal(await project.store(), async () => undefined);
  await journal.refresh();
  return journal;
}

type Recorded = OpenRecord & Pick<Place, 'stateDir'>;

/** Landed tasks that this machine's journal has opened again. */
export async function readReopened(project: Recorded): Promise<ReturnType<typeof getReopened>> {
  if (!checkStoreFile(project.stateDir)) return [];
  return getReopened((await openJournal(project)).state);
}

/** Tasks that a person did, and that this machine saw proven by their tests. */
export async function readDoneByHand(project: Recorded): Promise<readonly string[]> {
  if (!checkStoreFile(project.stateDir)) return [];
  const { tasks } = (await openJournal(project)).state;
  return [...tasks.values()].filter(isDoneByHand).map(({ def }) => def.id);
}

/** What this machine's journal says about landings, the newest of each task; empty where there is no journal. */
export async function readRecorded(project: Recorded): Promise<ReadonlyMap<string, RecordedLanding>> {
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
