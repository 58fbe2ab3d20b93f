import type { StopReason } from '../core/model/action.ts';
import { LeaseLost } from './lease-keeper.ts';
import { type Lanes, openLane, type Run } from './run.ts';
import { getCause, StepFailed, work } from './work.ts';
import { enterLane, recordUntilDone } from './worker.ts';

/**
 * Several workers in one process, over one journal: each takes, works and lands by itself. What fails one of them ends
 * that one, and it begins anew; what stands in the way of all ends the run.
 */
export async function runLanes(run: Run, lanes: Lanes): Promise<StopReason> {
  let last: StopReason = 'nothing-ready';
  const keep = async (lane: number): Promise<void> => {
    last = await keepLane(run, lanes, lane);
  };
  const ends = await Promise.allSettled(Array.from({ length: lanes.count }, (_, at) => keep(at + 1)));
  run.signal.throwIfAborted();
  const failed = ends.find(end => end.status === 'rejected');
  if (failed && (isForAll(failed.reason) || ends.every(end => end.status === 'rejected')))
    throw failed.reason;
  return last;
}

const TRIES = 3;
const WITHIN_MS = 600_000;

/** A lane from its first beginning to its last end. */
async function keepLane(run: Run, lanes: Lanes, lane: number): Promise<StopReason> {
  const failedMs: number[] = [];
  for (;;) {
    const ports = await lanes.open(lane);
    try {
      return await workLane(openLane(run, ports));
    } catch (error) {
      if (run.signal.aborted || isForAll(error)) throw error;
      const nowMs = ports.clock.monotonicMs();
      failedMs.push(nowMs);
      const isLast = failedMs.filter(atMs => nowMs - atMs < WITHIN_MS).length >= TRIES;
      await noteFailure(run, lane, error, isLast);
      if (isLast) throw error;
    }
  }
}

async function workLane(lane: Run): Promise<StopReason> {
  const { progress, options, ports, signal } = lane;
  const worker = await enterLane(lane, options.version);
  const leave = progress.addLane(ports.workers.self.id);
  try {
    return await work(lane);
  } finally {
    leave();
    await worker.stop(signal.aborted ? 'interrupted' : 'done');
  }
}

/** What did not come of one lane's own step or lease: the next lane would meet it, too. */
function isForAll(error: unknown): boolean {
  return !(error instanceof StepFailed) && !(error instanceof LeaseLost);
}

async function noteFailure(run: Run, lane: number, error: unknown, isLast: boolean): Promise<void> {
  const cause = getCause(error);
  const reason = cause instanceof Error ? cause.message : String(cause);
  const then = isLast ? `it failed ${TRIES} times and is not started again` : 'it begins anew';
  const text = `lane ${lane} failed: ${reason}; ${then}`;
  await recordUntilDone(run.journal, { type: 'note.added', level: 'important', text });
}
