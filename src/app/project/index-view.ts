import { isThisMachine } from '../../adapters/process/machine-id.ts';
import { checkProcess } from '../../adapters/process/proc.ts';
import type { QuickIndex } from '../../adapters/store/quick-index.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { CLEANUP_TITLE, isCleanupDue } from '../../core/state/cleanup.ts';
import { getCleanupRank } from '../../core/state/task-state.ts';
import type { Summary, TaskLine } from '../../core/views/index-rows.ts';
import type { IndexRow } from '../../ports/index.ts';
import type { ViewFacts } from './quick-record.ts';
import { readFrozen, readSignalFiles, type SignalFile } from './signal-files.ts';

/** The index of one moment, parsed: what `status` and `next` are answered from. */
export interface IndexView {
  readonly index: QuickIndex;
  readonly facts: ViewFacts;
  readonly summary: Summary;
  /** Somebody was killed between an event and the summary that counts it. */
  readonly isBehind: boolean;
  readonly total: number;
  readonly next: ListedTask | null;
  readonly active: readonly ActiveTask[];
  /** Files that somebody put there for runs. */
  readonly signals: readonly SignalFile[];
  readonly frozen: ReturnType<typeof readFrozen>;
  /** Where the records are. */
  readonly stateDir: string;
}

export interface ListedTask extends TaskLine {
  readonly id: string;
  /** In the words of the log: what waits for a task that needs a person is blocked. */
  readonly status: string;
  readonly isReady: boolean;
}

export interface ActiveTask {
  readonly task: string;
  readonly attempt: number;
  readonly stage: string;
  readonly worker: string;
  readonly pid: number | null;
  readonly host: string | null;
  /** Which of the lanes of its process; null where the process is one worker. */
  readonly lane: number | null;
  readonly session: number | null;
  readonly startedAtMs: number | null;
  /** Unknown on another machine, of which nobody can tell from here. */
  readonly life: 'alive' | 'gone' | 'unknown';
}

/** Reads everything both answers need, from one statement. */
export function readIndexView(index: QuickIndex, facts: ViewFacts, stateDir: string): IndexView {
  const view = index.view();
  const summary = view.summary === '' ? NOTHING_YET : parseStored<Summary>(view.summary);
  const { removed: _, ...counts } = summary.counts;
  return {
    index,
    facts,
    stateDir,
    summary,
    isBehind: summary.seq !== undefined && summary.seq !== view.seq,
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    signals: readSignalFiles(stateDir),
    frozen: readFrozen(stateDir),
    next: getAnnounced(view.next, summary, facts) ?? (view.next && getListedTask(view.next)),
    active: summary.active.map(({ process, ...attempt }) => ({
      ...attempt,
      pid: process?.pid ?? null,
      host: process?.host ?? null,
      lane: process?.lane ?? null,
      session: attempt.session ?? null,
      startedAtMs: attempt.startedAtMs ?? null,
      life: process ? readLife(process) : 'gone',
    })),
  };
}

/** An index row as the listing shows it. */
export function getListedTask({ id, status, readyRank, data }: IndexRow): ListedTask {
  const line = parseStored<TaskLine>(data);
  return { id, status: line.blocked ? 'blocked' : status, isReady: readyRank !== null, ...line };
}

/** The clean-up that a run would add first; null where none is due, or something is more urgent. */
function getAnnounced(next: IndexRow | null, { cleanup }: Summary, facts: ViewFacts): ListedTask | null {
  if (!cleanup || !isCleanupDue(cleanup, facts.cleanupInterval ?? null)) return null;
  if (next?.readyRank && next.readyRank < getCleanupRank(cleanup.id)) return null;
  const none = { testFile: null, lastReason: null, commit: null, dependsOn: [], blocked: false };
  const counts = { priority: 0, attempts: 0, maxAttempts: 1, interruptions: 0, costUsd: 0 };
  const { id } = cleanup;
  const prompt = 'cleanup';
  return {
    id,
    prompt,
    title: CLEANUP_TITLE,
    kind: 'cleanup',
    status: 'pending',
    isReady: true,
    ...none,
    ...counts,
  };
}

/** A text in the index that nobody can have written is damage. */
function parseStored<T>(text: string): T {
  try {
    return JSON.parse(text);
  } catch {
    throw new HarnessError('state', 'store.db in the state directory is damaged: its index cannot be read', {
      file: 'store.db',
      fix: 'harness doctor names the file and the ways out; tasks that have landed are safe in git',
    });
  }
}

const NOTHING_YET: Summary = {
  project: '',
  counts: { pending: 0, active: 0, retry: 0, landed: 0, failed: 0, blocked: 0, removed: 0 },
  blockedByDependency: 0,
  sessions: 0,
  active: [],
  lastSession: null,
  costUsd: 0,
  forecast: null,
  waiting: [],
  stuckCount: 0,
  baseline: null,
  quarantined: 0,
  backlogCommit: null,
  updatedAtMs: 0,
};

function readLife(process: NonNullable<Summary['active'][number]['process']>): ActiveTask['life'] {
  if (!isThisMachine(process.host)) return 'unknown';
  const life = checkProcess(process.pid, process.startTicks);
  return life === 'dead' ? 'gone' : life;
}
