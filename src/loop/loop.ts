import { decide } from '../core/decide/decide.ts';
import type { Action } from '../core/model/action.ts';
import type { Policy } from '../core/model/policy.ts';
import type { TaskDef } from '../core/model/task.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { canGoWithoutAgent } from '../core/state/task-state.ts';
import type { Ports } from '../ports/index.ts';
import { createObserver, type Signals } from './observe.ts';
import { performAndRecord } from './perform.ts';
import { openRun, type Run } from './run.ts';
import { type RunLimits, RunProgress, type RunReport } from './run-progress.ts';
import { stopEnvironment } from './stop-environment.ts';
import { recordUntilDone, startWorker } from './worker.ts';

export type { EndedAttempt, RunReport } from './run-progress.ts';

export interface RunOptions extends RunLimits {
  readonly signal: AbortSignal;
  readonly version: string;
  /** Asked between steps: whether a file says to stop or to wait. */
  readonly readSignals?: () => Signals;
  /** Asked before an agent is set on a task: throws what would keep it from starting, or from being judged. */
  readonly refuse?: (task: TaskDef) => Promise<void>;
}

/** The pipeline: observe, decide, perform, record, until there is nothing left to do. */
export async function runLoop(ports: Ports, policy: Policy, options: RunOptions): Promise<RunReport> {
  const { readSignals = () => NO_SIGNALS } = options;
  const run = openRun(ports, policy, options.signal);
  const { journal, signal } = run;
  const progress = new RunProgress(policy, options);
  const worker = await startWorker(run, options.version);
  const observe = createObserver(ports, policy);
  let last: Attempt | null = null;
  try {
    for (;;) {
      signal.throwIfAborted();
      await journal.refresh();
      await noteJump(run);
      const world = await observe(journal.state, readSignals());
      const action = decide(journal.state, world, policy, progress.scope(journal.state));
      // Recorded state and leases were read one after the other: a loss seen across a change is none.
      if (action.type === 'adopt' && (await journal.refresh()) > 0) continue;
      if (action.type === 'stop') return progress.report(action.why, journal.state);
      if (progress.isFirst(action)) await refuseUnready(run, options, action);
      if (progress.isPauseNews(action, world)) await notePause(run);
      if ('task' in action) last = journal.state.active.get(action.task) ?? last;
      if (action.type === 'wait') await wait(run, action.ms, readSignals);
      else for (const event of await performAndRecord(run, action)) progress.note(event);
    }
  } finally {
    await run.worktrees.settle();
    const stopped = await stopEnvironment(run, last);
    if (stopped) await recordUntilDone(journal, stopped);
    await worker.stop(signal.aborted ? 'interrupted' : 'done');
  }
}

/** Before the first fact of an attempt, and before a session that another run has prepared. */
async function refuseUnready(
  { journal }: Run,
  { refuse }: RunOptions,
  { task: id }: Extract<Action, { type: 'lease' | 'session' }>,
): Promise<void> {
  const task = journal.state.tasks.get(id);
  if (task && refuse && !canGoWithoutAgent(task)) await refuse(task.def);
}

/** Said once it has gone on: without that, a run with a hole in it looks like one that stood still. */
async function noteJump({ journal, keeper }: Run): Promise<void> {
  const jumpMs = keeper.takeJumpMs();
  if (jumpMs === 0) return;
  const text = `the machine slept, or its clock jumped ahead, for ${Math.round(jumpMs / 1_000)} s; the run continues`;
  await journal.record([{ type: 'note.added', level: 'important', text }]);
  await journal.refresh();
}

/** A pause that somebody recorded is told by its event; of a file nobody would hear. */
async function notePause({ journal }: Run): Promise<void> {
  const text =
    'PAUSE active: the file signals/pause is there; harness resume takes it away, and the run goes on';
  await journal.record([{ type: 'note.added', level: 'important', text }]);
}

const NO_SIGNALS: Signals = { stop: false, pause: false, pausedBefore: false };
/** A person who says something to a worker that waits is heard within this time. */
const LISTEN_MS = 1_000;

/** Waits until the time is over or something has happened. */
async function wait({ ports, journal, signal }: Run, ms: number, readSignals: () => Signals): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= LISTEN_MS) {
    await ports.clock.sleep(Math.min(leftMs, LISTEN_MS), signal);
    const { stop, pause } = readSignals();
    if (stop || pause || (await journal.refresh()) > 0) return;
  }
}
