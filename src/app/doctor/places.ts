import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { getCacheDir } from '../../adapters/process/cache-dir.ts';
import { createRandom } from '../../adapters/process/random.ts';
import { createWorkers } from '../../adapters/process/workers.ts';
import { readSchemaStatus } from '../../adapters/store/migrations.ts';
import { checkPages, isNetworkDisk } from '../../adapters/store/open-store.ts';
import { checkStoreFile, getStorePath } from '../../adapters/store/store-files.ts';
import { fold } from '../../core/events/fold.ts';
import { PROJECT_STREAM } from '../../loop/journal.ts';
import type { Checkout } from '../project/open-checkout.ts';
import { openProjectStore } from '../project/open-record.ts';
import type { Finding } from './finding.ts';

const MB = 1024 * 1024;
const LITTLE_MB = 1_024;
const TOO_LITTLE_MB = 100;

/** Writable, on a disk whose locks can be trusted, with room left. */
export function checkStateDir({ stateDir }: Checkout): Finding {
  const place = getExisting(stateDir);
  if (isNetworkDisk(statfsSync(place).type)) {
    const fix = 'clone the repository to a local disk and run harness there';
    return { status: 'fail', detail: `${stateDir} is on a network disk, where locks cannot be trusted`, fix };
  }
  return checkPlace(stateDir, place);
}

/** Agents' worktrees: not inside the repository, or tools would find its config from there. */
export function checkCacheDir({ gitDirs }: Checkout): Finding {
  const cacheDir = getCacheDir();
  if (`${cacheDir}/`.startsWith(`${gitDirs.mainRoot}/`)) {
    const fix = 'set HARNESS_CACHE_DIR to a folder outside of the repository';
    return { status: 'warn', detail: `${cacheDir} lies inside the repository`, fix };
  }
  return checkPlace(cacheDir, getExisting(cacheDir));
}

export function checkStore({ stateDir, config }: Checkout): Finding {
  const { current, supported, needsMigration } = readSchemaStatus(stateDir);
  if (current === null) return { status: 'ok', detail: 'no records yet' };
  if (current > supported) {
    const fix = 'update Harness to the version that wrote them';
    const detail = `the records have schema ${current}, this Harness knows ${supported}`;
    return { status: config.compatibility.on_newer_state === 'warn' ? 'warn' : 'fail', detail, fix };
  }
  checkPages(getStorePath(stateDir), 'integrity_check');
  if (!needsMigration) return { status: 'ok', detail: `records whole, schema ${current}` };
  return {
    status: 'warn',
    detail: `the records have schema ${current}, not ${supported}`,
    fix: 'harness migrate',
  };
}

/** Workers that were killed: the next run clears up after them. */
export async function checkWorkers(checkout: Checkout): Promise<Finding> {
  const { current, supported } = readSchemaStatus(checkout.stateDir);
  if (!checkStoreFile(checkout.stateDir) || current !== supported)
    return { status: 'ok', detail: 'none at work' };
  const store = await openProjectStore(checkout);
  try {
    const state = fold(await store.read({ stream: PROJECT_STREAM }));
    const { check } = createWorkers(createRandom());
    const found = { alive: 0, unknown: 0, dead: [] as number[] };
    for (const worker of state.workers.values()) {
      const life = await check(worker);
      if (life === 'dead') found.dead.push(worker.pid);
      else found[life]++;
    }
    if (found.dead.length > 0) {
      const detail = `${found.dead.length} ended without a record (pid ${found.dead.join(', ')})`;
      return { status: 'warn', detail, fix: 'harness run continues where they stopped' };
    }
    const live = found.alive + found.unknown;
    return { status: 'ok', detail: live === 0 ? 'none at work' : `${live} at work` };
  } finally {
    await store.close();
  }
}

function checkPlace(path: string, existing: string): Finding {
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
  } catch {
    return {
      status: 'fail',
      detail: `${path} may not be written`,
      fix: `give this user write access to ${existing}`,
    };
  }
  const { bavail, bsize } = statfsSync(existing);
  const freeMb = Math.floor((bavail * bsize) / MB);
  const free = freeMb >= 1_024 ? `${(freeMb / 1_024).toFixed(1)} GB` : `${freeMb} MB`;
  const detail = `${path}, ${free} free`;
  if (freeMb < TOO_LITTLE_MB) return { status: 'fail', detail, fix: 'free some space on that disk' };
  return freeMb < LITTLE_MB
    ? { status: 'warn', detail, fix: 'free some space on that disk' }
    : { status: 'ok', detail };
}

/** The folder itself, or the nearest above it that is there. */
function getExisting(path: string): string {
  return existsSync(path) ? path : getExisting(dirname(path));
}
