import { relative } from 'node:path';
import { readSchemaStatus } from '../../../adapters/store/migrations.ts';
import { type OpenStoreOptions, openStore } from '../../../adapters/store/open-store.ts';
import { getWhere, openCheckout } from '../../../app/project/open-checkout.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';

export interface MigrateOptions extends CommonOptions {
  /** False with `--no-backup`. */
  readonly backup: boolean;
}

/** `harness migrate`: the records in the newest layout, with a copy of the old ones beside them. */
export async function migrateState(io: Io, options: MigrateOptions): Promise<void> {
  const { stateDir } = await openCheckout(getWhere(io, options.repo));
  const { current, supported } = readSchemaStatus(stateDir);
  if (current === null || current === supported) {
    const text =
      current === null ? 'There are no records yet: nothing to migrate.' : `Up to date: schema v${current}.`;
    io.out(options.json ? JSON.stringify({ from: current, to: current, backup: null }) : text);
    return;
  }
  if (!options.backup) io.err('warning: going on without a backup.');
  type Report = Parameters<NonNullable<OpenStoreOptions['onMigrated']>>[0];
  const reports: Report[] = [];
  const store = await openStore({
    stateDir,
    onOlderState: 'migrate',
    backupBeforeMigrate: options.backup,
    onMigrated: report => reports.push(report),
  });
  await store.close();
  const { from, to, backup } = reports[0] ?? { from: current, to: supported, backup: null };
  if (options.json) io.out(JSON.stringify({ from, to, backup }));
  else {
    if (backup) io.out(`Backed up to ${relative(io.cwd, backup)}`);
    io.out(`Migrated schema v${from} → v${to}.`);
  }
}
