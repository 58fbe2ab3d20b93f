import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../../core/base/failure.ts';
import { PROJECTION_MARK } from './projection-mark.ts';
import { getWriteError, isTemporary, writeAtomic } from './write-atomic.ts';

const FOLDERS = ['logs', 'sessions', 'proofs', 'checkpoints'];
/** Where people leave a file for a run to heed; there, so that `touch` is all it takes. */
const SIGNALS = 'signals';
const STALE_MS = 3_600_000;

/** What the harness itself writes into a state directory; whatever else lies there is somebody's. */
const OWN = [
  ...FOLDERS,
  ...[SIGNALS, 'questions', 'handoffs', 'tasks'],
  ...['store.db', 'store.db-wal', 'store.db-shm', 'store-created', 'logs.lock', 'clone-id', 'plan.json'],
  ...['session_state.json', 'test_baseline.json', 'quarantine.json', 'costs.yaml', 'handoff.json'],
  ...['sessions.json', 'file_sizes.json', PROJECTION_MARK, 'reports', 'RELEASE_READY'],
];

/** Whether an entry of a state directory was written by the harness. */
export function isOwnEntry(name: string): boolean {
  return OWN.includes(name) || isTemporary(name);
}

/** Makes the state directory, hidden from git, and clears what killed writers left half-written in it. */
export function createStateDir(stateDir: string): void {
  try {
    for (const folder of [...FOLDERS, SIGNALS]) mkdirSync(join(stateDir, folder), { recursive: true });
  } catch (error) {
    throw getInTheWayError(error, stateDir) ?? getWriteError(error, stateDir);
  }
  const gitignore = join(stateDir, '.gitignore');
  if (!existsSync(gitignore)) writeAtomic(gitignore, '*\n', { durable: false });
  for (const folder of ['.', ...FOLDERS]) removeStale(join(stateDir, folder));
}

function getInTheWayError(error: unknown, stateDir: string): HarnessError | null {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code !== 'EEXIST' && code !== 'ENOTDIR') return null;
  return new HarnessError('state', `a file has the name of the state directory ${stateDir}`, {
    file: stateDir,
    field: 'paths.state_dir',
    fix: `move it away (mv ${stateDir} ${stateDir}.old), or name another paths.state_dir`,
  });
}

/** Only old ones: another process may be writing right now. */
function removeStale(dir: string): void {
  for (const name of readdirSync(dir)) {
    if (!isTemporary(name)) continue;
    const path = join(dir, name);
    const modifiedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - modifiedMs > STALE_MS) rmSync(path, { force: true });
  }
}
