import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isThisMachine } from '../../adapters/process/machine-id.ts';
import { createRandom } from '../../adapters/process/random.ts';
import { createWorkers } from '../../adapters/process/workers.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { getDueCleanup } from '../../core/decide/cleanup.ts';
import type { HarnessEvent } from '../../core/events/event.ts';
import type { ControlMode, WorkerRef } from '../../core/model/facts.ts';
import { getOpenCleanup } from '../../core/state/cleanup.ts';
import type { State } from '../../core/state/state.ts';
import { getNamesIn, moveOwnFiles } from '../project/landed/own-files.ts';
import type { Project } from '../project/open-project.ts';
import { getSignalPath } from '../project/signal-files.ts';
import { isHandedOver } from './handed-over.ts';
import { readPersonName, recordDecision } from './person.ts';

/** Who wants something of all runs, and why. */
export interface Wish {
  readonly reason?: string;
  readonly by?: string;
}

export interface Controlled {
  readonly control: ControlMode;
  readonly recorded: boolean;
  /** The processes that hear it. */
  readonly runs: readonly number[];
  /** A file in the state directory said to wait as well, and is gone. */
  readonly tookPauseFile: boolean;
  /** Runs go on, but what a person committed since `harness handoff` has not been judged. */
  readonly handedOver: boolean;
  /** What goes on with it, or is next. */
  readonly goesOn: readonly { readonly id: string; readonly title: string }[];
  readonly next: string;
}

/** Tells every run of the project to wait, to go on, or to end; heard between two steps. */
export async function controlRuns(
  project: Project,
  wish: Wish & { readonly mode: ControlMode },
): Promise<Controlled> {
  const { mode } = wish;
  const by = await readPersonName(project.root, wish.by);
  const { recorded, state } = await recordDecision(await project.store(), now =>
    getEvents(now, { mode, by, reason: wish.reason?.trim() ?? '' }),
  );
  const runs = (await findLiveWorkers(state)).map(({ pid }) => pid);
  const pauseFile = getSignalPath(project.stateDir, 'pause');
  const tookPauseFile = mode === 'running' && existsSync(pauseFile);
  if (tookPauseFile) rmSync(pauseFile, { force: true });
  const further = runs.length > 0 ? 'harness status' : 'harness run --all';
  return {
    control: mode,
    recorded,
    runs,
    tookPauseFile,
    handedOver: mode === 'running' && (await isHandedOver(project)),
    goesOn: mode === 'running' ? getGoingOn(state) : [],
    next: mode === 'paused' ? 'harness resume' : further,
  };
}

function getGoingOn({ tasks, active, ready }: State): Controlled['goesOn'] {
  const first = ready.peek();
  const working = [...active.values()].filter(({ stage }) => stage !== 'queued').map(({ task }) => task);
  const ids = working.length > 0 ? working : first === null ? [] : [first];
  return ids.flatMap(id => tasks.get(id)?.def ?? []).map(({ id, title }) => ({ id, title }));
}

/** Said again, it is known already; a stop is for those at work, and new ones may have come. */
function getEvents(
  state: State,
  wish: { readonly mode: ControlMode; readonly by: string; readonly reason: string },
): readonly HarnessEvent[] {
  const { mode, workers } = state.people.control;
  const isKnownToAll = [...state.workers.keys()].every(id => workers.has(id));
  if (wish.mode === 'stopped' && state.workers.size === 0) return [];
  if (mode === wish.mode && (mode === 'running' || isKnownToAll)) return [];
  return [{ type: 'control.changed', ...wish }];
}

export interface CleanupAsked {
  /** The clean-up that is there to be run now; null where a run under way takes it. */
  readonly task: string | null;
  readonly recorded: boolean;
  readonly next: string;
}

/** Has the code tidied, due or not: as the next session of a run under way, else there is a task to run now. */
export async function askForCleanup(
  project: Project,
  { later = false, ...wish }: Wish & { readonly later?: boolean },
): Promise<CleanupAsked> {
  const by = await readPersonName(project.root, wish.by);
  const reason = wish.reason?.trim() ?? '';
  const { policy } = project;
  if (policy.testing.full === null) {
    const fix = 'set testing.full to what runs your tests';
    throw new HarnessError('usage', 'no suite would notice what a clean-up breaks', {
      field: 'testing.full',
      fix,
    });
  }
  const { recorded, state } = await recordDecision(await project.store(), now =>
    now.cleanup.requested || getOpenCleanup(now) !== null ? [] : [{ type: 'cleanup.requested', by, reason }],
  );
  if (later || (await findLiveWorkers(state)).length > 0)
    return { task: null, recorded, next: 'harness run --all   (an active run picks it up)' };
  const { state: added } = await recordDecision(await project.store(), now => {
    const def = getDueCleanup(now, policy);
    return def ? [{ type: 'task.added', def }] : [];
  });
  const task = getOpenCleanup(added);
  return { task, recorded, next: `harness run --task ${task}` };
}

export interface Aborted {
  /** The processes that were ended. */
  readonly ended: readonly number[];
  readonly cleared: boolean;
  readonly backup: string | null;
  readonly next: string;
}

/** Ends every run on this machine at once. Commits and records stay unless they are to be cleared. */
export async function abortRuns(
  project: Project,
  wish: Wish & { readonly clear?: boolean },
): Promise<Aborted> {
  const by = await readPersonName(project.root, wish.by);
  const stopped = await stopAll(project, { by, reason: wish.reason?.trim() || 'aborted' });
  const left = stopped.filter(({ isGone }) => !isGone).map(({ pid }) => pid);
  if (left.length > 0) {
    const fix = 'harness status shows what they do; harness abort once more asks them again';
    throw new HarnessError('locked', `still running: pid ${left.join(', ')}`, { fix });
  }
  // Records cannot be moved from under an open store.
  await project.close();
  const backup = wish.clear ? await clear(project) : null;
  return {
    ended: stopped.map(({ pid }) => pid),
    cleared: backup !== null,
    backup,
    next: wish.clear ? 'harness status' : 'harness run --all   (continues where it stopped)',
  };
}

/** Told in the record first, so that none begins another attempt; then by a signal, which each takes as Ctrl-C. */
async function stopAll(
  project: Project,
  wish: { readonly by: string; readonly reason: string },
): Promise<readonly { readonly pid: number; readonly isGone: boolean }[]> {
  const { state } = await recordDecision(await project.store(), now =>
    now.workers.size > 0 ? [{ type: 'control.changed', mode: 'stopped', ...wish }] : [],
  );
  const here = (await findLiveWorkers(state)).filter(({ host }) => isThisMachine(host));
  for (const { pid } of here) process.kill(pid, 'SIGTERM');
  return Promise.all(here.map(async worker => ({ pid: worker.pid, isGone: await waitForEnd(worker) })));
}

const WAIT_MS = 100;
const MAX_WAITS = 300;

async function waitForEnd(worker: WorkerRef): Promise<boolean> {
  const workers = new Map([[worker.id, worker]]);
  for (let i = 0; i < MAX_WAITS; i++) {
    if ((await findLiveWorkers({ workers })).length === 0) return true;
    await sleep(WAIT_MS);
  }
  return false;
}

/** Puts everything that was recorded aside, as it is. */
async function clear({ stateDir, root, policy }: Project): Promise<string | null> {
  if (!existsSync(stateDir)) return null;
  const name = `aborted-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  const backup = join(stateDir, 'backups', name);
  // A backlog that lies beside the records is none of them.
  await moveOwnFiles(stateDir, backup, getNamesIn(stateDir, [join(root, policy.backlogPath)]));
  return backup;
}

/** Workers that are, or may be, at work. */
export async function findLiveWorkers(state: Pick<State, 'workers'>): Promise<WorkerRef[]> {
  const { check } = createWorkers(createRandom());
  const alive: WorkerRef[] = [];
  for (const worker of state.workers.values()) if ((await check(worker)) !== 'dead') alive.push(worker);
  return alive;
}
