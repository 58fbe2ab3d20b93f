import { createStateDir } from '../../adapters/artifacts/state-dir.ts';
import { openStore } from '../../adapters/store/open-store.ts';
import type { Config } from '../../config/sections/schema.ts';
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
  { stateDir, config }: Place,
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
  });
}
