import type { Policy } from '../core/model/policy.ts';
import type { Ports } from '../ports/index.ts';
import { runLanes } from './lanes.ts';
import { getSaveEvery, openRun, type RunOptions } from './run.ts';
import type { RunReport } from './run-progress.ts';
import { stopEnvironment } from './stop-environment.ts';
import { getCause, work } from './work.ts';
import { recordUntilDone, startWorker } from './worker.ts';

export type { Lanes, RunOptions } from './run.ts';
export type { EndedAttempt, RunReport } from './run-progress.ts';

/** One run, by one worker or by several: it enters the record, works until nothing is left to do, and leaves. */
export async function runLoop(ports: Ports, policy: Policy, options: RunOptions): Promise<RunReport> {
  const run = openRun(ports, policy, options);
  const { journal, progress, worktrees, signal } = run;
  const worker = await startWorker(run, options.version);
  try {
    const why = await (options.lanes ? runLanes(run, options.lanes) : work(run));
    return progress.report(why, journal.state);
  } catch (error) {
    throw getCause(error);
  } finally {
    await worktrees.settle();
    const stopped = await stopEnvironment(run);
    if (stopped) await recordUntilDone(journal, stopped);
    await worker.stop(signal.aborted ? 'interrupted' : 'done');
    await journal.save(getSaveEvery(options));
  }
}
