import { decide } from '../core/decide/decide.ts';
import type { Action, StopReason, Work } from '../core/model/action.ts';
import type { World } from '../core/model/world.ts';
import { canGoWithoutAgent } from '../core/state/task-state.ts';
import { createObserver, type Signals } from './observe.ts';
import { performAndRecord } from './perform.ts';
import type { Run } from './run.ts';

type Observe = () => Promise<World>;

/** The pipeline: observe, decide, perform, record, until there is nothing left to do. Returns why that is. */
export async function work(run: Run): Promise<StopReason> {
  const look = createObserver(run.ports, run.policy);
  const readSignals = run.options.readSignals ?? getNoSignals;
  const observe: Observe = () => look(run.journal.state, readSignals());
  for (;;) {
    const action = await run.deciding.take(() => takeDecision(run, observe));
    if (action?.type === 'stop') return action.why;
    if (action?.type === 'wait') await wait(run, action.ms);
    else if (action) await carryOut(run, action).catch(throwStepFailed);
  }
}

/** What went wrong in one worker's own step, as against what went wrong while deciding, which all lanes do. */
export class StepFailed extends Error {
  constructor(cause: unknown) {
    super('a step failed', { cause });
  }
}

function throwStepFailed(cause: unknown): never {
  throw new StepFailed(cause);
}

/** The error as it was thrown. */
export function getCause(error: unknown): unknown {
  return error instanceof StepFailed ? error.cause : error;
}

/** What takes neither an agent nor a test: it is recorded before anybody else decides, on the very state that was decided on. */
const AT_ONCE: ReadonlySet<Action['type']> = new Set<Action['type']>([
  'sync',
  'add',
  'ask',
  'withdraw',
  'lease',
  'adopt',
  'take-queue',
]);

/** The next thing to do that takes longer; null when the next turn has to look again. */
async function takeDecision(run: Run, observe: Observe): Promise<Action | null> {
  const { journal, progress, policy, signal } = run;
  signal.throwIfAborted();
  await journal.refresh();
  await noteJump(run);
  const world = await withMachine(run, await observe());
  const { version } = journal.state;
  const action = decide(journal.state, world, policy, progress.scope(journal.state, world.self));
  // Recorded state and leases were read one after the other: a loss seen across a change is none.
  if (LOSSES.has(action.type) && (await isOlderThan(run, version))) return null;
  if (progress.isFirst(action)) await refuseUnready(run, action);
  if (progress.isPauseNews(action, world)) await notePause(run);
  if (progress.isRestNews(action)) run.ports.reporter.note?.(RESTS);
  if (!AT_ONCE.has(action.type)) return action;
  await carryOut(run, action as Work, version);
  return null;
}

/** What is done because somebody seems to be gone. */
const LOSSES: ReadonlySet<Action['type']> = new Set<Action['type']>(['adopt', 'take-queue']);

/** Whether something has been recorded since, by another lane as well: whose lease is gone may just have given it back. */
async function isOlderThan({ journal }: Run, version: number): Promise<boolean> {
  await journal.refresh();
  return journal.state.version !== version;
}

/** Said whenever it changes how many may work at once. */
async function withMachine({ machine, journal, progress }: Run, world: World): Promise<World> {
  if (machine === null) return world;
  const limit = await machine.look(journal.state.active.size);
  if (progress.isLimitNews(limit)) {
    const most = limit.atOnce === null ? 'as many agents as asked for' : `at most ${limit.atOnce} at once`;
    const text = `the machine carries ${most} (${limit.why})`;
    await journal.record([{ type: 'note.added', level: 'important', text }]);
    await journal.refresh();
  }
  return { ...world, machine: limit };
}

async function carryOut(run: Run, action: Work, decidedOn?: number): Promise<void> {
  const { journal, progress, ports } = run;
  if ('task' in action) progress.last = journal.state.active.get(action.task) ?? progress.last;
  const act = () => performAndRecord(run, action, decidedOn);
  const events = await (action.type === 'check-all' || action.type === 'gate'
    ? progress.look(ports.workers.self.id, act)
    : act());
  for (const event of events) progress.note(event);
}

/** Before the first fact of an attempt, and before a session that another run has prepared. */
async function refuseUnready(
  { journal, options: { refuse } }: Run,
  { task: id }: Extract<Action, { type: 'lease' | 'session' }>,
): Promise<void> {
  const task = journal.state.tasks.get(id);
  if (task && refuse && !canGoWithoutAgent(task)) await refuse(task.def);
}

/** Said once it has gone on: without that, a run with a hole in it looks like one that stood still. */
async function noteJump({ journal, keeper, progress, ports }: Run): Promise<void> {
  const jumpMs = keeper.takeJumpMs();
  if (jumpMs === 0 || !progress.isJumpNews(ports.clock.nowMs())) return;
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

/** A run that stays for hours says that it does, and how it is ended. */
const RESTS =
  'nothing to do now: the run stays, takes new tasks and looks at changes of what has landed (harness stop ends it)';

const NO_SIGNALS: Signals = { stop: false, pause: false, pausedBefore: false };
const getNoSignals = (): Signals => NO_SIGNALS;

/** A person who says something to a worker that waits is heard within this time; another lane, sooner. */
const LISTEN_MS = 1_000;
const LISTEN_TO_LANES_MS = 200;

/** Waits until the time is over or something has happened. */
async function wait({ ports, journal, options, signal }: Run, ms: number): Promise<void> {
  const { readSignals = getNoSignals, lanes } = options;
  const pauseMs = lanes ? LISTEN_TO_LANES_MS : LISTEN_MS;
  if (lanes) ports.reporter.phase(null, 'wait');
  const { version } = journal.state;
  for (let leftMs = ms; leftMs > 0; leftMs -= pauseMs) {
    await ports.clock.sleep(Math.min(leftMs, pauseMs), signal);
    const { stop, pause } = readSignals();
    if (stop || pause || (await journal.refresh()) > 0 || journal.state.version !== version) return;
  }
}
