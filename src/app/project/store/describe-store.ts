import { readSchemaStatus } from '../../../adapters/store/migrations.ts';
import { openQuickIndex } from '../../../adapters/store/quick-index.ts';
import { getStorePath, readSize } from '../../../adapters/store/store-files.ts';
import type { Checkout } from '../open-checkout.ts';
import { readProjectKey } from './open-project-store.ts';

/** Where the records of a project are, and how many. */
export interface StoreFacts {
  readonly engine: 'sqlite' | 'postgres';
  /** The file, or the database without its password. */
  readonly where: string;
  /** By what the database knows the project; null for a file, which has one alone. */
  readonly project: string | null;
  /** Null where there are no records yet. */
  readonly schema: number | null;
  readonly supported: number;
  readonly madeBy: string | null;
  readonly events: number;
  readonly bytes: number;
  /** How the way to the database is guarded, and what the server calls itself. */
  readonly tls?: string;
  readonly server?: string;
}

/** Looks, and changes nothing. */
export function describeStore(
  checkout: Pick<Checkout, 'config' | 'stateDir'> & { readonly root: string },
): Promise<StoreFacts> {
  const { url } = checkout.config.store;
  return url === null ? describeFile(checkout.stateDir) : describeShared(checkout, url);
}

async function describeFile(stateDir: string): Promise<StoreFacts> {
  const { current, supported, madeBy } = readSchemaStatus(stateDir);
  const path = getStorePath(stateDir);
  const index = current === supported ? openQuickIndex(stateDir) : null;
  const events = index?.view().seq ?? 0;
  index?.close();
  const bytes = (readSize(path) ?? 0) + (readSize(`${path}-wal`) ?? 0);
  return { engine: 'sqlite', where: path, project: null, schema: current, supported, madeBy, events, bytes };
}

async function describeShared(
  checkout: Parameters<typeof describeStore>[0],
  url: string,
): Promise<StoreFacts> {
  const { describePostgres } = await import('../../../adapters/store/postgres/describe.ts');
  const { key } = await readProjectKey(checkout);
  const { where, tls, server, schema, supported, madeBy, project } = await describePostgres(url, key);
  if (project?.movedTo != null) {
    const { getMovedError } = await import('../../../adapters/store/moved.ts');
    throw getMovedError(where, project.movedTo);
  }
  const { events = 0, bytes = 0 } = project ?? {};
  return { engine: 'postgres', where, project: key, schema, supported, madeBy, events, bytes, tls, server };
}
