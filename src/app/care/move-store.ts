import { createStateDir } from '../../adapters/artifacts/state-dir.ts';
import { withSqliteEnd } from '../../adapters/store/sqlite-end.ts';
import type { WithEnd } from '../../adapters/store/store-end.ts';
import { checkStoreFile } from '../../adapters/store/store-files.ts';
import { HarnessError } from '../../core/base/failure.ts';
import type { Checkout } from '../project/open-checkout.ts';
import { describeStore, type StoreFacts } from '../project/store/describe-store.ts';
import { getCloneName, readProjectKey } from '../project/store/open-project-store.ts';
import { type MovedRecords, moveRecords } from './move-records.ts';

export type StoreAnswer =
  | { readonly facts: StoreFacts }
  | { readonly moved: MovedRecords; readonly next: string };

/** Where the records are; or moves them. */
export async function keepStore(
  checkout: Checkout,
  { action, to }: { readonly action?: string; readonly to?: string },
): Promise<StoreAnswer> {
  const { config, stateDir, gitDirs } = checkout;
  if (action === undefined && to === undefined)
    return { facts: await describeStore({ config, stateDir, root: gitDirs.root }) };
  if (action !== 'move' || to === undefined)
    throw new HarnessError(
      'usage',
      action === 'move' ? 'missing --to' : 'harness store moves records, or shows where they are',
      {
        field: action === 'move' ? '--to' : 'action',
        fix: 'harness store move --to postgres://user@host/database, or --to sqlite for the state directory',
      },
    );
  return moveStore(checkout, to);
}

async function moveStore(checkout: Checkout, to: string): Promise<StoreAnswer> {
  const { config, stateDir } = checkout;
  const isFile = to === 'sqlite' || to === config.paths.state_dir;
  const url = isFile ? config.store.url : getUrl(checkout, to);
  if (url === null)
    throw new HarnessError('usage', 'the records are in the state directory, as far as is known here', {
      field: 'store.url',
      fix: 'set HARNESS_STORE_URL (or store.url) to the database that they are to come from',
    });
  if (!isFile && !checkStoreFile(stateDir) && isSame(config.store.url, url))
    throw new HarnessError('usage', `there are no records in ${stateDir} to be moved`, {
      file: stateDir,
      fix: 'with store.url set, harness run begins in the database',
    });
  createStateDir(stateDir);
  const file: WithEnd = work => withSqliteEnd(stateDir, work);
  const shared = await openShared(checkout, url);
  if (isFile) return { moved: await moveRecords(shared, file), next: LEAVE_OUT };
  // From another database, when that is where they are now.
  const other = isSame(config.store.url, url) ? null : config.store.url;
  const source = other === null ? file : await openShared(checkout, other);
  return { moved: await moveRecords(source, shared), next: SET };
}

const SET = 'set store.url in the configuration, or HARNESS_STORE_URL, to that database on every machine';
const LEAVE_OUT = 'take store.url out of the configuration, and HARNESS_STORE_URL out of the environment';

/** A password is not for the list of processes: `env:NAME` names the variable that has the URL. */
function getUrl({ env }: Checkout, to: string): string {
  if (!to.startsWith('env:')) return to;
  const name = to.slice('env:'.length);
  const url = env[name];
  if (url) return url;
  throw new HarnessError('usage', `--to: the variable ${name} is not set`, {
    field: '--to',
    fix: `set ${name} to the URL`,
  });
}

function isSame(one: string | null, other: string): boolean {
  return one === null || one === other;
}

async function openShared(checkout: Checkout, url: string): Promise<WithEnd> {
  const { withPostgresEnd } = await import('../../adapters/store/postgres/postgres-end.ts');
  const { config, stateDir, gitDirs } = checkout;
  const project = await readProjectKey({ config, root: gitDirs.root });
  const clone = getCloneName(stateDir);
  return work => withPostgresEnd({ url, project, clone }, work);
}
