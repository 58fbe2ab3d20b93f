import { createHash } from 'node:crypto';
import { isAbsolute, join, normalize, sep } from 'node:path';
import type { ArtifactRef, StoredEvent } from '../../core/event.ts';
import { apply } from '../../core/fold.ts';
import type { Policy } from '../../core/policy.ts';
import { createState } from '../../core/state.ts';
import type { Artifacts, ProjectionInput, Store } from '../../ports.ts';
import { type Logs, openLogs } from './logs.ts';
import { createProjections, type WriteProjections } from './projections.ts';
import { createStateDir } from './state-dir.ts';
import { writeAtomic } from './write-atomic.ts';

export interface ArtifactsOptions {
  readonly stateDir: string;
  /** Shown in costs.yaml. */
  readonly budget?: Policy['budget'];
}

export interface FileArtifacts extends Artifacts {
  /**
   * Logs what was recorded but not logged before a crash, and from then on also what other processes
   * record. Returns how many events that were.
   */
  catchUp(store: Pick<Store, 'read'>): Promise<number>;
}

/** Files under the state directory: proofs for good, everything else for people and never read back. */
export function createArtifacts(options: ArtifactsOptions): FileArtifacts {
  const { stateDir, budget = null } = options;
  createStateDir(stateDir);
  const logs = openLogs(stateDir);
  const writeProjections = createProjections(stateDir, budget);
  let store: Pick<Store, 'read'> | null = null;
  return {
    write: async (path, content) => writeArtifact(stateDir, path, content),
    project: input => project(input, logs, writeProjections, store),
    catchUp: async given => {
      store = given;
      return catchUp(given, logs);
    },
  };
}

function writeArtifact(stateDir: string, path: string, content: string): ArtifactRef {
  const clean = normalize(path);
  if (isAbsolute(clean) || clean === '..' || clean.startsWith(`..${sep}`)) {
    throw new Error(`artifact ${path} would lie outside the state directory`);
  }
  writeAtomic(join(stateDir, clean), content, { durable: true });
  return { path: clean.split(sep).join('/'), sha256: createHash('sha256').update(content).digest('hex') };
}

async function project(
  { state, events, actions }: ProjectionInput,
  logs: Logs,
  writeProjections: WriteProjections,
  store: Pick<Store, 'read'> | null,
): Promise<void> {
  const fresh = await withMissing(events, logs.cursor(), store);
  if (fresh.length > 0) logs.append(state, fresh);
  logs.appendActions(actions);
  writeProjections(state, fresh);
}

/** Events of other processes that lie before the given ones belong into the logs as well. */
async function withMissing(
  events: readonly StoredEvent[],
  cursor: number,
  store: Pick<Store, 'read'> | null,
): Promise<readonly StoredEvent[]> {
  const first = events.find(stored => stored.seq > cursor);
  if (!first || first.seq === cursor + 1 || !store) return events;
  return store.read({ fromSeq: cursor + 1 });
}

async function catchUp(store: Pick<Store, 'read'>, logs: Logs): Promise<number> {
  const cursor = logs.cursor();
  const [newest] = await store.read({ limit: 1, newestFirst: true });
  if (!newest || newest.seq <= cursor) return 0;
  const state = createState();
  let count = 0;
  for (const stored of await store.read({})) {
    apply(state, stored);
    if (stored.seq <= cursor) continue;
    logs.append(state, [stored]);
    count++;
  }
  return count;
}
