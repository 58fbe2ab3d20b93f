import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { getCacheDir } from '../../adapters/process/cache-dir.ts';
import { createRandom } from '../../adapters/process/random.ts';
import { createWorkers } from '../../adapters/process/workers.ts';
import { checkPages, isNetworkDisk } from '../../adapters/store/open-store.ts';
import { getStoreSecrets } from '../../adapters/store/postgres/login.ts';
import { getStorePath } from '../../adapters/store/store-files.ts';
import { getCount } from '../../core/base/text.ts';
import { fold } from '../../core/events/fold.ts';
import { PROJECT_STREAM } from '../../loop/journal.ts';
import type { Checkout } from '../project/open-checkout.ts';
import { describeStore } from '../project/store/describe-store.ts';
import { openProjectStore } from '../project/store/open-project-store.ts';
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

/** Where the records are, whether they can be reached and read, and who could listen on the way. */
export async function checkStore(checkout: Checkout): Promise<Finding> {
  const { config, stateDir, gitDirs } = checkout;
  const facts = await describeStore({ config, stateDir, root: gitDirs.root });
  const { schema: current, supported } = facts;
  const isShared = facts.engine === 'postgres';
  const at = isShared ? `, PostgreSQL ${facts.server} at ${facts.where}, ${getGuard(facts.tls)}` : '';
  if (isShared && hasWrittenPassword(checkout)) {
    const fix = 'take store.url out there and set HARNESS_STORE_URL, or write a reference to a variable';
    return {
      status: 'warn',
      detail: `the password of the database stands in ${checkout.configFile}${at}`,
      fix,
    };
  }
  if (current === null) return { status: 'ok', detail: `no records yet${at}` };
  if (current > supported) {
    const fix = 'update Harness to the version that wrote them';
    const detail = `the records have schema ${current}, this Harness knows ${supported}${at}`;
    return { status: config.compatibility.on_newer_state === 'warn' ? 'warn' : 'fail', detail, fix };
  }
  if (!isShared) checkPages(getStorePath(stateDir), 'integrity_check');
  const whole = isShared ? getCount(facts.events, 'event') : 'records whole';
  if (current === supported) return { status: 'ok', detail: `${whole}, schema ${current}${at}` };
  return {
    status: 'warn',
    detail: `the records have schema ${current}, not ${supported}${at}`,
    fix: 'harness migrate',
  };
}

/** Workers that were killed: the next run clears up after them. */
export async function checkWorkers(checkout: Checkout): Promise<Finding> {
  const { config, stateDir, gitDirs } = checkout;
  const { schema, supported } = await describeStore({ config, stateDir, root: gitDirs.root });
  if (schema !== supported) return { status: 'ok', detail: 'none at work' };
  const { store } = await openProjectStore({ config, stateDir, root: gitDirs.root });
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

function getGuard(tls: string | undefined): string {
  if (tls === 'off') return 'without TLS: whoever listens on the way has the password';
  if (tls === 'socket') return 'by a socket of this machine';
  return tls === 'chain'
    ? 'over TLS: its certificate is verified, the name of the server is not'
    : 'over TLS: its certificate and the name of the server are verified';
}

/** A configuration is in git, where agents and everybody with the repository can read it. */
function hasWrittenPassword({ config, configText }: Checkout): boolean {
  const secrets = getStoreSecrets(config.store.url);
  return secrets.some(secret => configText?.includes(secret) ?? false);
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
