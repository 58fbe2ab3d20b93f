import { getBaseEnv } from '../../adapters/git/repo/git-env.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { createSensors } from '../../adapters/machine/sensors.ts';
import { OLDEST_SQLITE, openDatabase } from '../../adapters/store/driver.ts';
import { getCount } from '../../core/base/text.ts';
import { getAgentSlots } from '../../core/decide/agent-slots.ts';
import { readContainment } from '../project/open-sandbox.ts';
import type { Checkup, Finding } from './finding.ts';

export function checkNode(version: string): Checkup {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < 20 || (major === 20 && minor < 19);
  const finding: Finding = isOld
    ? { status: 'fail', detail: `Node ${version} is too old`, fix: 'install Node 20.19 or newer' }
    : { status: 'ok', detail: `Node ${version}` };
  return { name: 'node', ...finding };
}

export async function checkGit(cwd: string): Promise<Finding> {
  const { stdout } = await runGit(['version'], { cwd, env: getBaseEnv() });
  const version = stdout.toString().trim().replace('git version ', '');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 2 || (major === 2 && minor >= 38)) return { status: 'ok', detail: `git ${version}` };
  return { status: 'fail', detail: `git ${version} is too old`, fix: 'install git 2.38 or newer' };
}

/** Opening a database refuses one that is too old, in its own words. */
export function checkSqlite(): Finding {
  const db = openDatabase(':memory:');
  try {
    const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string };
    const driver = process.versions.sqlite === version ? 'node:sqlite' : '@photostructure/sqlite';
    return { status: 'ok', detail: `SQLite ${version} by ${driver} (${OLDEST_SQLITE} or newer is needed)` };
  } finally {
    db.close();
  }
}

/** What it has to give now, and how many agents at once that is good for. */
export async function checkMachine(env: Readonly<Record<string, string | undefined>>): Promise<Finding> {
  const reading = await createSensors({ env }).readMachine();
  const { recommended, pressure, why } = getAgentSlots(reading, { active: 0, peakBytes: null });
  const getGb = (bytes: number): string => (bytes / 1024 ** 3).toFixed(1);
  const memory = `${getGb(reading.availableBytes)} of ${getGb(reading.totalBytes)} GB of memory free`;
  const workers = `good for ${getCount(recommended, 'worker')} at once (${why})`;
  const detail = `${getCount(reading.cores, 'core')}, ${memory}, memory pressure ${pressure}; ${workers}`;
  if (pressure === 'normal') return { status: 'ok', detail };
  return { status: 'warn', detail, fix: 'end what needs so much memory, or run fewer workers at once' };
}

/** Said plainly every time: this is the one thing people must not assume. */
export async function checkSandbox(mode: 'auto' | 'off' | 'required'): Promise<Finding> {
  const { level, reason } = await readContainment(mode);
  if (level === 'bubblewrap') return { status: 'ok', detail: `bubblewrap: ${reason}` };
  return {
    status: 'warn',
    detail: `process containment only, as ${reason}:
an agent has its own tree and nothing it starts survives,
but it, its tests and what its tree has installed can read and write whatever your user can`,
    fix: 'install bubblewrap, or run harness in a container or a virtual machine for an agent you do not trust',
  };
}
