import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HARNESS_VERSION, SCHEMA_VERSION } from '../../core/base/version.ts';
import { getDueCleanup } from '../../core/decide/cleanup.ts';
import type { HarnessEvent, StoredEvent } from '../../core/events/event.ts';
import type { Policy } from '../../core/model/policy.ts';
import type { PastAttempt } from '../../core/state/attempt.ts';
import { getOpenCleanup } from '../../core/state/cleanup.ts';
import type { LastSession, State } from '../../core/state/state.ts';
import { isCounted } from '../../core/state/task-moves.ts';
import { getCheckpoints } from '../../core/views/checkpoints.ts';
import { getSessionRecords, getTermination, type Termination } from '../../core/views/session-records.ts';
import { getWorkersAtWork, hasSeveralWorkers } from '../../core/views/workers-at-work.ts';
import { getCosts } from './costs.ts';
import { getFeatureId, getIsoSeconds, getJsonFile, getUsd } from './format.ts';
import { isAsLeft, type ProjectionMark, readProjectionMark, writeProjectionMark } from './projection-mark.ts';
import { writeQuestionFiles } from './question-files.ts';
import { writeAtomic } from './write-atomic.ts';

interface Projection {
  readonly file: string;
  /** The events that can change it; null when any can. */
  readonly types: readonly HarnessEvent['type'][] | null;
  /** Null when there is nothing to tell yet. */
  readonly render: (state: State) => string | null;
}

/** Settings that show in the files. */
export type ProjectionRules = Pick<Policy, 'budget' | 'limits' | 'testing'>;

export interface Projections {
  /** Rewrites those of the state files that the new events can have changed, and only if they did. */
  write(state: State, events: readonly StoredEvent[]): void;
  /** For the first write: the event up to which files were left in step; null where all of them are to be written. */
  readSeen(state: State): number | null;
}

export function createProjections(stateDir: string, rules: ProjectionRules | null): Projections {
  const projections: readonly Projection[] = [
    { file: 'session_state.json', types: null, render: state => getSessionState(state, rules) },
    { file: 'test_baseline.json', types: ['baseline.measured'], render: getTestBaseline },
    {
      file: 'quarantine.json',
      types: ['test.quarantined', 'baseline.measured'],
      render: getQuarantine,
    },
    {
      file: 'costs.yaml',
      types: ['session.spent', 'session.ended'],
      render: state => getCosts(state, rules?.budget ?? null),
    },
    { file: 'handoff.json', types: ['session.ended'], render: getSessionNoteFile },
    {
      file: 'checkpoints/checkpoints.json',
      types: ['attempt.prepared', 'attempt.ended', 'task.landed'],
      render: getCheckpointList,
    },
    {
      file: 'sessions.json',
      types: ['attempt.ended', 'task.landed'],
      render: getSessionList,
    },
    { file: 'file_sizes.json', types: ['task.landed', 'sizes.measured'], render: getFileSizes },
  ];
  const made = createHash('sha256')
    .update(JSON.stringify([HARNESS_VERSION, rules]))
    .digest('hex');
  let lastState: State | null = null;
  const readMark = ({ seq }: State): ProjectionMark | null => {
    const mark = readProjectionMark(stateDir, made);
    // Of a state that is newer than this one it says nothing.
    return mark !== null && mark.seq <= seq ? mark : null;
  };
  return {
    readSeen: state => (state === lastState ? null : (readMark(state)?.seq ?? null)),
    write(state, events) {
      const isFresh = state !== lastState;
      const mark = isFresh ? readMark(state) : null;
      lastState = state;
      writeQuestionFiles(stateDir, state, isFresh ? undefined : events);
      for (const { file, types, render } of projections) {
        const isKnown = !isFresh || (mark !== null && isAsLeft(stateDir, file, mark));
        if (isKnown && types && !events.some(stored => types.includes(stored.event.type))) continue;
        const text = render(state);
        if (text !== null) writeIfChanged(join(stateDir, file), text);
      }
      if (!events.some(({ event }) => event.type === 'worker.stopped')) return;
      const files = projections.map(({ file }) => file);
      writeProjectionMark(stateDir, files, { seq: state.seq, made });
    },
  };
}

function writeIfChanged(path: string, text: string): void {
  if (readIfThere(path) !== text) writeAtomic(path, text, { durable: false });
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** `handoff.json`: the word that the last session left for whoever goes on; null while there is none. */
function getSessionNoteFile(state: State): string | null {
  const task = state.recent.lastSession?.task;
  if (task === undefined) return null;
  const sessionNote =
    state.active.get(task)?.agent.sessionNote ?? state.tasks.get(task)?.history.at(-1)?.sessionNote;
  if (!sessionNote) return null;
  const { by = 'agent', ...word } = sessionNote;
  return `${JSON.stringify({ task, session: state.recent.lastSession?.session, ...word, by }, null, 2)}\n`;
}

/** `file_sizes.json`: how long each file is and since when it has been there; null before the first measure. */
export function getFileSizes({ sessions, quality }: State): string | null {
  const { fileSizes } = quality;
  if (fileSizes.size === 0) return null;
  const paths = [...fileSizes].sort(([a], [b]) => (a < b ? -1 : 1));
  const files = paths.map(([path, { lines, sessionAdded }]) => [
    path,
    { lines, session_added: sessionAdded },
  ]);
  return getJsonFile({ session: sessions, files: Object.fromEntries(files) });
}

/** `test_baseline.json`: the tests a regression is measured against; null before the first run. */
export function getTestBaseline({ suite }: State): string | null {
  const { baseline } = suite;
  if (!baseline) return null;
  return getJsonFile({
    session: baseline.session,
    timestamp: getIsoSeconds(baseline.atMs),
    passing_tests: baseline.passing,
    total_passing: baseline.passing.length,
    total_tests: baseline.passing.length + baseline.failing.length,
  });
}

/** `quarantine.json`: tests that said yes and no to the same bytes, with the evidence; null if there never was one. */
function getQuarantine({ suite }: State): string | null {
  const { quarantine } = suite;
  if (quarantine.size === 0) return null;
  const tests = [...quarantine.values()].map(test => ({
    id: test.id,
    quarantined: test.releasedAtMs === null,
    since: getIsoSeconds(test.sinceMs),
    released: test.releasedAtMs === null ? null : getIsoSeconds(test.releasedAtMs),
    stable_runs: test.stableRuns,
    evidence: test.evidence.map(({ tree, command, outcome, atMs }) => ({
      tree,
      command,
      outcome,
      at: getIsoSeconds(atMs),
    })),
  }));
  return getJsonFile({ tests });
}

/** `sessions.json`: every session that is over, what came of it and what it cost; null before the first. */
export function getSessionList(state: State): string | null {
  const records = getSessionRecords(state);
  if (records.length === 0) return null;
  return getJsonFile(
    records.map(({ session, task, startedAtMs, endedAtMs, termination, isLanded, usage }) => ({
      session_id: session,
      started_at: getIsoSeconds(startedAtMs),
      ended_at: getIsoSeconds(endedAtMs),
      duration_seconds: Math.round((endedAtMs - startedAtMs) / 1_000),
      termination_reason: termination,
      feature_id: getFeatureId(task),
      feature_completed: isLanded,
      tokens_used: { input: usage.inputTokens, output: usage.outputTokens },
      cost_usd: getUsd(usage.costUsd),
    })),
  );
}

/** `checkpoints/checkpoints.json`: what can be returned to; null before the first attempt. */
export function getCheckpointList(state: State): string | null {
  const entries = getCheckpoints(state);
  if (entries.length === 0) return null;
  return getJsonFile(
    entries.map(({ id, task, attempt, session, outcome, start }) => ({
      ...{ id, feature_id: getFeatureId(task), attempt, session, outcome },
      git_ref: start.commit,
      features_json_hash: start.backlogHash,
      progress_file_hash: start.notesHash,
    })),
  );
}

/** `session_state.json`: where things stand, in fields that other tools read. */
export function getSessionState(state: State, rules: ProjectionRules | null = null): string {
  const last = state.recent.lastSession;
  const ending = last ? getEnding(state, last) : undefined;
  const status = getStatus(last, ending);
  return getJsonFile({
    harness_version: HARNESS_VERSION,
    schema_version: SCHEMA_VERSION,
    last_session: last?.session ?? 0,
    status,
    current_feature: getCurrentFeature(state, status),
    termination_reason: getTerminationReason(state, last, status),
    next_prompt: getNextPrompt(state, status, rules),
    stuck_count: state.trouble.stuckCount,
    timeout_count: state.trouble.timeouts,
    ...getWorkers(state),
    timestamp: getIsoSeconds(ending?.endedAtMs ?? last?.endedAtMs ?? state.createdAtMs),
  });
}

/** Who works on what, where there is more to tell than `current_feature` does: other tools know a file without it. */
function getWorkers(state: State): { readonly workers?: readonly object[] } {
  const all = getWorkersAtWork(state);
  if (!hasSeveralWorkers(all)) return {};
  const workers = all.map(({ worker, process, task, attempt, session, stage, startedAtMs }) => ({
    ...{ worker, host: process?.host ?? null, pid: process?.pid ?? null, lane: process?.lane ?? null },
    ...{ feature_id: getFeatureId(task), attempt, session, stage, since: getIsoSeconds(startedAtMs) },
  }));
  return { workers };
}

/** A clean-up goes before whatever else is next, as soon as it is due. */
function getNextPrompt(state: State, status: Status, rules: ProjectionRules | null): string {
  const isDue = rules !== null && getDueCleanup(state, rules) !== null;
  if (isDue || getOpenCleanup(state) !== null) return 'cleanup';
  return status === 'partial' ? 'continuation' : 'coding';
}

type Status = 'complete' | 'partial' | 'failed';

/** How the attempt of the last session ended; undefined while it is still being judged. */
function getEnding(state: State, last: LastSession): PastAttempt | undefined {
  return state.tasks.get(last.task)?.history.findLast(attempt => attempt.session === last.session);
}

function getStatus(last: LastSession | null, ending: PastAttempt | undefined): Status {
  if (last === null || ending?.outcome === 'landed' || ending?.outcome === 'tidy') return 'complete';
  return ending === undefined || ending.outcome === 'partial' ? 'partial' : 'failed';
}

function getCurrentFeature(state: State, status: Status): string | number | null {
  const [active] = state.active.keys();
  const id = active ?? (status === 'complete' ? null : state.recent.lastSession?.task);
  const task = state.tasks.get(id ?? '');
  return task && isCounted(task.def) ? getFeatureId(task.def.id) : null;
}

/** Null where the last session came to its end by itself, whatever was made of its work. */
function getTerminationReason(state: State, last: LastSession | null, status: Status): Termination | null {
  if (state.people.control.mode === 'paused') return 'user_pause';
  if (last === null || status === 'complete') return null;
  const reason = getTermination(last.outcome);
  if (reason !== 'complete' && last.outcome !== 'not-done') return reason;
  if (status === 'partial') return null;
  if (state.trouble.stuckCount >= STUCK) return 'stuck';
  return reason === 'complete' ? null : reason;
}

/** Sessions in a row that came to nothing. */
const STUCK = 3;
