import { createStateDir } from '../../../adapters/artifacts/state-dir.ts';
import { getBaseEnv } from '../../../adapters/git/repo/git-env.ts';
import { openRepo } from '../../../adapters/git/repo/repo.ts';
import { runGit } from '../../../adapters/git/repo/run-git.ts';
import { getSha256 } from '../../../adapters/process/hasher.ts';
import { getMachineId } from '../../../adapters/process/machine-id.ts';
import { openStore } from '../../../adapters/store/open-store.ts';
import { openQuickIndex, type QuickIndex } from '../../../adapters/store/quick-index.ts';
import { checkStoreFile } from '../../../adapters/store/store-files.ts';
import type { Config } from '../../../config/sections/schema.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import type { Store } from '../../../ports/index.ts';

/** What has to be known to open the records of a project. */
export interface Place {
  /** A checkout of it. */
  readonly root: string;
  readonly stateDir: string;
  readonly config: Config;
  readonly warn?: (text: string) => void;
}

/** Records that are open, and the index beside them. */
export interface ProjectStore {
  readonly store: Store;
  /** What `status` and `next` are answered from, as of now; to be closed by whoever asks. */
  readIndex(): Promise<QuickIndex>;
}

interface OpenOptions {
  /** Has every page read first. */
  readonly quickCheck?: boolean;
  /** Told instead of the person; `backup` is where a file was copied to. */
  readonly onMigrated?: (report: Migrated) => void;
}

interface Migrated {
  readonly from: number;
  readonly to: number;
  readonly backup?: string | null;
}

/** Whether there may be records: in a database somebody else may have written some. */
export function isRecorded({ stateDir, config }: Pick<Place, 'stateDir' | 'config'>): boolean {
  return config.store.url !== null || checkStoreFile(stateDir);
}

/** The records where the configuration has them: in a file of the state directory, or in a database. */
export async function openProjectStore(place: Place, options: OpenOptions = {}): Promise<ProjectStore> {
  createStateDir(place.stateDir);
  const { url } = place.config.store;
  return url === null ? openFile(place, options) : openShared(place, url, options);
}

async function openFile(place: Place, options: OpenOptions): Promise<ProjectStore> {
  const { stateDir, config, warn } = place;
  const { on_older_state, on_newer_state, backup_before_migrate } = config.compatibility;
  const store = await openStore({
    stateDir,
    quickCheck: options.quickCheck ?? false,
    onOlderState: on_older_state,
    onNewerState: on_newer_state,
    backupBeforeMigrate: backup_before_migrate,
    onWarning: text => warn?.(text),
    onMigrated: options.onMigrated ?? (report => warnMigrated(report, warn)),
  });
  return {
    store,
    readIndex: async () => {
      const index = openQuickIndex(stateDir, on_newer_state);
      if (!index) throw new HarnessError('internal', `no index in ${stateDir}`);
      return index;
    },
  };
}

async function openShared(place: Place, url: string, options: OpenOptions): Promise<ProjectStore> {
  const { config, warn } = place;
  const { openPostgres } = await import('../../../adapters/store/postgres/open-postgres.ts');
  const store = await openPostgres({
    url,
    project: await readProjectKey(place),
    clone: getCloneName(place.stateDir),
    onOlderState: config.compatibility.on_older_state,
    onNewerState: config.compatibility.on_newer_state,
    onWarning: text => warn?.(text),
    onMigrated: options.onMigrated ?? (report => warnMigrated(report, warn)),
  });
  try {
    await refuseTwoStores(place, store);
  } catch (error) {
    await store.close();
    throw error;
  }
  return { store, readIndex: () => store.readIndex() };
}

function warnMigrated({ from, to, backup }: Migrated, warn: Place['warn']): void {
  const copy = backup ? `the old ones are in ${backup}` : 'without a backup';
  if (from > 0) warn?.(`the records were migrated from schema v${from} to v${to}; ${copy}`);
}

/** By what a database tells what this clone remembers from what others do: what is installed where, which files are only here. */
export function getCloneName(stateDir: string): string {
  return `${getMachineId()}:${stateDir}:`;
}

/**
 * By what a project is known in a database, the same in every clone: the first commit of its base branch, and the path
 * of its backlog.
 */
export async function readProjectKey({
  root,
  config,
}: Pick<Place, 'root' | 'config'>): Promise<{ readonly key: string; readonly name: string }> {
  const { name } = config.project;
  if (config.store.project !== null) return { key: config.store.project, name };
  const { baseBranch } = await openRepo(root, { baseBranch: config.git.base_branch });
  const git = async (...args: string[]) => {
    const { code, stdout } = await runGit(args, { cwd: root, env: getBaseEnv() });
    return code === 0 ? stdout.toString().trim() : '';
  };
  const isShallow = (await git('rev-parse', '--is-shallow-repository')) === 'true';
  const first = isShallow ? '' : await git('rev-list', '--max-parents=0', '--first-parent', baseBranch, '--');
  if (first !== '') return { key: getSha256(`${first}\0${config.paths.features}`).slice(0, 32), name };
  const why = isShallow ? 'a shallow clone' : `without a commit on ${baseBranch}`;
  throw new HarnessError('config', `store.url needs a name for this project, whose repository is ${why}`, {
    field: 'store.project',
    fix: 'set store.project to the same name in every clone, or fetch the rest (git fetch --unshallow)',
  });
}

/** Records in both places would be two truths; which of them is meant, a person has to say. */
async function refuseTwoStores({ stateDir, warn }: Place, store: Store): Promise<void> {
  const count = readCountHere(stateDir);
  if (count === 0) return;
  if ((await store.read({ limit: 1 })).length > 0) {
    warn?.(
      `${stateDir} has records of its own, which are not used: put store.db and store-created there aside`,
    );
    return;
  }
  throw new HarnessError(
    'state',
    `store.url names a database without records of this project, and ${stateDir} has ${count} events`,
    {
      file: stateDir,
      field: 'store.url',
      fix: 'harness store move --to <the same url> takes them there; or put store.db and store-created aside to begin anew',
    },
  );
}

/** Events in the file of the state directory; none where they have been moved. */
function readCountHere(stateDir: string): number {
  if (!checkStoreFile(stateDir)) return 0;
  try {
    const index = openQuickIndex(stateDir);
    const count = index?.view().seq ?? 0;
    index?.close();
    // Whoever only looked has had the backlog read: that is in the database, too.
    return count === 1 ? 0 : count;
  } catch (error) {
    if (error instanceof HarnessError) return 0;
    throw error;
  }
}
