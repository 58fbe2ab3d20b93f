import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isAbsolute, join, normalize, sep } from 'node:path';
import type { StoredEvent } from '../../core/events/event.ts';
import { apply, fold } from '../../core/events/fold.ts';
import type { ArtifactRef } from '../../core/model/facts.ts';
import type { LogRules } from '../../core/model/policy.ts';
import type { State } from '../../core/state/state.ts';
import type { Artifacts, ProjectionInput, Store, Transcript } from '../../ports/index.ts';
import { type Logs, openLogs } from './logs.ts';
import { createProjections, type ProjectionRules, type Projections } from './projections.ts';
import { pruneLogs } from './prune-logs.ts';
import { createStateDir } from './state-dir.ts';
import { closeTranscriptFile, openTranscriptFile } from './transcript.ts';
import { writeAtomic } from './write-atomic.ts';

export interface ArtifactsOptions {
  readonly stateDir: string;
  /** Settings that show in the files. */
  readonly rules?: ProjectionRules;
  /** Everything is logged and kept for good when not given. */
  readonly logging?: LogRules;
  /** How a log is written to where other processes write to it as well. */
  readonly alone?: Alone;
}

/** Does something short while no other process does. */
type Alone = <T>(work: () => T) => T;

type ReadState = (seq: number) => Promise<State>;

export interface FileArtifacts extends Artifacts {
  /**
   * Logs what was recorded but not logged before a crash, and from then on also what other processes
   * record. Returns how many events that were. `readState` gives the state as of an event, where that takes less than
   * folding all that came before it.
   */
  catchUp(store: Pick<Store, 'read'>, readState?: ReadState): Promise<number>;
  /** Lets go of logs and transcripts that were kept long enough. */
  prune(nowMs: number): void;
}

/** Files under the state directory: proofs for good, everything else for people and never read back. */
export function createArtifacts(options: ArtifactsOptions): FileArtifacts {
  const { stateDir, rules = null, logging = LOG_ALL, alone = work => work() } = options;
  createStateDir(stateDir);
  const logs = withLock(openLogs(stateDir, logging), alone);
  const projections = createProjections(stateDir, rules);
  let store: Pick<Store, 'read'> | null = null;
  return {
    write: async (path, content) => writeArtifact(stateDir, path, content),
    read: async ref => readArtifact(stateDir, ref),
    project: input => project(input, logs, projections, store),
    openTranscript: async (path, session) => openTranscript(stateDir, path, session, logs),
    closeTranscript: async path => {
      const clean = getInside(path);
      const sha256 = closeTranscriptFile(join(stateDir, clean));
      return sha256 === null ? null : { path: clean, sha256 };
    },
    catchUp: async (given, readState = seq => foldUpTo(given, seq)) => {
      store = given;
      return catchUp(given, logs, readState);
    },
    prune: nowMs => pruneLogs(stateDir, nowMs, logging, logs.cursor()),
  };
}

/** Between looking where a log ends and writing on, nobody else writes: no event is told twice. */
function withLock(logs: Logs, alone: Alone): Logs {
  return {
    ...logs,
    append: (state, events) => alone(() => logs.append(state, events)),
    appendActions: (session, entries) => alone(() => logs.appendActions(session, entries)),
  };
}

const LOG_ALL: LogRules = {
  level: 'debug',
  sampling: 1,
  retentionDays: Number.POSITIVE_INFINITY,
  maxFileBytes: Number.POSITIVE_INFINITY,
};

function writeArtifact(stateDir: string, path: string, content: string | Uint8Array): ArtifactRef {
  const clean = getInside(path);
  writeAtomic(join(stateDir, clean), content, { durable: true });
  return { path: clean, sha256: createHash('sha256').update(content).digest('hex') };
}

/** A path below the state directory, spelled with slashes. */
function getInside(path: string): string {
  const clean = normalize(path);
  if (isAbsolute(clean) || clean === '..' || clean.startsWith(`..${sep}`)) {
    throw new Error(`artifact ${path} would lie outside the state directory`);
  }
  return clean.split(sep).join('/');
}

/** What the agent did goes into the log of actions in the same breath. */
function openTranscript(stateDir: string, path: string, session: number, logs: Logs): Transcript {
  const clean = getInside(path);
  const file = openTranscriptFile(join(stateDir, clean), entries => logs.appendActions(session, entries));
  return { add: file.add, close: async () => ({ path: clean, sha256: file.close() }) };
}

function readArtifact(stateDir: string, ref: ArtifactRef): string | null {
  try {
    const content = readFileSync(join(stateDir, ref.path), 'utf8');
    return createHash('sha256').update(content).digest('hex') === ref.sha256 ? content : null;
  } catch {
    return null;
  }
}

async function project(
  { state, events }: ProjectionInput,
  logs: Logs,
  projections: Projections,
  store: Pick<Store, 'read'> | null,
): Promise<void> {
  const fresh = await withMissing(events, logs.cursor(), store);
  if (fresh.length > 0) logs.append(state, fresh);
  const seen = store === null ? null : projections.readSeen(state);
  // Files were left by an earlier run: whatever came since may have changed them.
  projections.write(state, seen === null || store === null ? fresh : await store.read({ fromSeq: seen + 1 }));
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

async function catchUp(store: Pick<Store, 'read'>, logs: Logs, readState: ReadState): Promise<number> {
  const cursor = logs.cursor();
  const [newest] = await store.read({ limit: 1, newestFirst: true });
  if (!newest || newest.seq <= cursor) return 0;
  const missing = await store.read({ fromSeq: cursor + 1 });
  if (!logs.isBehind(missing)) return 0;
  const state = await readState(cursor);
  for (const stored of missing) {
    apply(state, stored);
    logs.append(state, [stored]);
  }
  return missing.length;
}

async function foldUpTo(store: Pick<Store, 'read'>, seq: number): Promise<State> {
  return fold((await store.read({})).filter(stored => stored.seq <= seq));
}
