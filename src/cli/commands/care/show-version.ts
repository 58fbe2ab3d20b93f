import { readSchemaStatus, type SchemaStatus } from '../../../adapters/store/migrations.ts';
import { getWhere, openCheckout } from '../../../app/project/open-checkout.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import { HARNESS_VERSION, SCHEMA_VERSION } from '../../../core/base/version.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';

/** `harness version`: this build, the records of the project around, and whether they fit. */
export async function showVersion(io: Io, options: CommonOptions): Promise<void> {
  const schema = await readProjectSchema(io, options);
  const { current, status } = describe(schema);
  if (options.json) {
    io.out(
      JSON.stringify({ version: HARNESS_VERSION, schema: SCHEMA_VERSION, projectSchema: current, status }),
    );
    return;
  }
  io.out(`Harness version: ${HARNESS_VERSION}`);
  io.out(`Schema version: ${SCHEMA_VERSION}`);
  io.out(`Project state schema: ${current ?? 'none'}`);
  io.out(`Status: ${status}`);
  if (schema?.needsMigration)
    io.out("\nRun 'harness migrate' to upgrade, or 'harness run' does it by itself.");
}

/** Null outside of a project: a version can be asked for anywhere. */
async function readProjectSchema(io: Io, options: CommonOptions): Promise<SchemaStatus | null> {
  try {
    const { stateDir } = await openCheckout(getWhere(io, options.repo));
    return readSchemaStatus(stateDir);
  } catch (error) {
    if (error instanceof HarnessError && (error.code === 'repo' || error.code === 'config')) return null;
    throw error;
  }
}

function describe(schema: SchemaStatus | null): { current: number | null; status: string } {
  if (schema === null) return { current: null, status: 'Not in a project' };
  const { current, supported } = schema;
  if (current === null) return { current, status: 'No records yet' };
  if (current > supported)
    return { current, status: `Update needed: the records are of ${schema.madeBy ?? 'a newer Harness'}` };
  return {
    current,
    status: schema.needsMigration ? `Migration needed (v${current} → v${supported})` : 'Up to date',
  };
}
