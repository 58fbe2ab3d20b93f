import type { SchemaStatus } from '../../adapters/store/migrations.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { HARNESS_VERSION, SCHEMA_VERSION } from '../../core/base/version.ts';
import { type Checkout, openCheckout, type Where } from '../project/open-checkout.ts';
import { describeStore } from '../project/store/describe-store.ts';
import { openProjectStore } from '../project/store/open-project-store.ts';

export interface Versions {
  readonly version: string;
  readonly schema: number;
  readonly projectSchema: number | null;
  readonly status: string;
}

/** This build, the records of the project around, and whether they fit. */
export async function readVersions(where: Where): Promise<Versions> {
  const schema = await readProjectSchema(where);
  return {
    version: HARNESS_VERSION,
    schema: schema?.supported ?? SCHEMA_VERSION,
    projectSchema: schema?.current ?? null,
    status: getStatus(schema),
  };
}

/** Null outside of a project: a version can be asked for anywhere. */
async function readProjectSchema(where: Where): Promise<SchemaStatus | null> {
  try {
    return await readSchema(await openCheckout(where));
  } catch (error) {
    if (error instanceof HarnessError && (error.code === 'repo' || error.code === 'config')) return null;
    throw error;
  }
}

async function readSchema({ config, stateDir, gitDirs }: Checkout): Promise<SchemaStatus> {
  const { schema, supported, madeBy } = await describeStore({ config, stateDir, root: gitDirs.root });
  return { current: schema, supported, madeBy, needsMigration: schema !== null && schema < supported };
}

function getStatus(schema: SchemaStatus | null): string {
  if (schema === null) return 'Not in a project';
  const { current, supported, madeBy, needsMigration } = schema;
  if (current === null) return 'No records yet';
  if (current > supported) return `Update needed: the records are of ${madeBy ?? 'a newer Harness'}`;
  return needsMigration ? `Migration needed (v${current} → v${supported})` : 'Up to date';
}

export interface Migrated {
  /** Null where there are no records yet. */
  readonly from: number | null;
  readonly to: number | null;
  readonly backup: string | null;
}

/** Brings the records to the newest layout, with a copy of the old ones beside them where they are a file. */
export async function migrateRecords(
  checkout: Checkout,
  { backup, warn }: { readonly backup: boolean; readonly warn: (text: string) => void },
): Promise<Migrated> {
  const { current, supported } = await readSchema(checkout);
  if (current === null || current === supported) return { from: current, to: current, backup: null };
  if (!backup && current < supported) warn('going on without a backup.');
  let migrated: Migrated = { from: current, to: current, backup: null };
  const { config, stateDir, gitDirs } = checkout;
  const compatibility = {
    ...config.compatibility,
    on_older_state: 'migrate',
    backup_before_migrate: backup,
  } as const;
  const place = { stateDir, root: gitDirs.root, config: { ...config, compatibility }, warn };
  const { store } = await openProjectStore(place, {
    onMigrated: ({ from, to, backup: copy = null }) => {
      migrated = { from, to, backup: copy };
    },
  });
  await store.close();
  return migrated;
}
