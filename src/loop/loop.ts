import { redactTexts } from '../core/base/redact.ts';
import { decide } from '../core/decide/decide.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import type { Action, StopReason, Work } from '../core/model/action.ts';
import type { Policy } from '../core/model/policy.ts';
import type { OpenQuestion } from '../core/model/question.ts';
import type { TaskDef } from '../core/model/task.ts';
import { isGroundFault } from '../core/model/verdict.ts';
import { getTaskResource, type RunScope } from '../core/model/world.ts';
import { getReopened } from '../core/state/regression.ts';
import type { State } from '../core/state/state.ts';
import { canGoWithoutAgent, isHandedOff } from '../core/state/task-state.ts';
import type { Ports } from '../ports/index.ts';
import { acceptTest } from '../steps/accept-test.ts';
import { checkAll } from '../steps/check-all.ts';
import { close } from '../steps/close.ts';
import { interrupt } from '../steps/interrupt.ts';
import { land } from '../steps/land.ts';
import { lease } from '../steps/lease.ts';
import { preflight } from '../steps/preflight.ts';
import { prepare } from '../steps/prepare.ts';
import { sendBack } from '../steps/send-back.ts';
import { session } from '../steps/session.ts';
import { snapshot } from '../steps/snapshot.ts';
import type { StepContext, StepResult } from '../steps/step.ts';
import { sync } from '../steps/sync.ts';
import { takeOver } from '../steps/take-over.ts';
import { takeUp } from '../steps/take-up.ts';
import { verify } from '../steps/verify.ts';
import { type Ahead, settleAhead } from '../testruns/test-runs.ts';
import { doAgain } from './do-again.ts';
import { Journal } from './journal.ts';
import { LeaseKeeper, LeaseLost } from './lease-keeper.ts';
import { createObserver, type Told } from './observe.ts';
import { startWorker } from './worker.ts';

export interface RunOptions {
  /** Attempts after which it stops, landed or not. */
  readonly maxSessions: number | null;
  /** Landed tasks after which it stops; as the policy says when not given. */
  readonly maxTasks?: number | undefined;
  /** When no further attempt is begun. */
  readonly untilMs?: number | undefined;
  readonly onlyTask: string | null;
  readonly signal: AbortSignal;
  readonly version: string;
  /** Stays when nothing is left to do; as the policy says when not given. */
  readonly maintains?: boolean | undefined;
  /** Asked between steps: whether a file says to stop or to wait. */
  readonly readTold?: () => Told;
  /** Asked before an agent is set on a task: throws what would keep it from starting, or from being judged. */
  readonly refuse?: (task: TaskDef) => Promise<void>;
}

export interface EndedAttempt {
  readonly task: string;
  readonly outcome: string;
  readonly reason: string;
}

export interface RunReport {
  readonly why: StopReason;
  readonly ended: readonly EndedAttempt[];
  /** What people are asked, as far as nobody has answered. */
  readonly questions: readonly OpenQuestion[];
  /** Tasks that people do by hand. */
  readonly handedOff: readonly string[];
  /** Tasks that had landed and are open again. */
  readonly reopened: readonly { readonly task: string; readonly reason: string }[];
}

/** The corridor: observe, decide, perform, record, until there is nothing left to do. */
export async function runLoop(ports: Ports, policy: Policy, options: RunOptions): Promise<RunReport> {
  const journal = createJournal(ports);
  const keeper = new LeaseKeeper(ports.store, ports.clock, policy.leaseMs, policy.heartbeatMs);
  const signal = AbortSignal.any([options.signal, keeper.signal]);
  const ended: EndedAttempt[] = [];
  /** Tasks this run started itself; closing what a dead one left is no attempt of ours. */
  const mine = new Set<string>();
  let environmentBroken = false;
  const halted = new Map<string, 'auth' | 'provider'>();
  const worker = await startWorker(ports, policy, journal, keeper, options.version);
  const { readTold = () => NOTHING_TOLD } = options;
  const observe = createObserver(ports, policy);
  const ahead: Ahead = new Map();
  try {
    for (;;) {
      signal.throwIfAborted();
      await journal.refresh();
      await noteJump(journal, keeper.takeJumpMs());
      const world = await observe(journal.state, readTold());
      const scope = getScope(options, policy, journal.state, ended, { environmentBroken, halted });
      const action = decide(journal.state, world, policy, scope);
      // Recorded state and leases were read one after the other: a loss seen across a change is none.
      if (action.type === 'take-over' && (await journal.refresh()) > 0) continue;
      if (action.type === 'stop') {
        const { people, tasks } = journal.state;
        const handedOff = [...tasks.values()].filter(isHandedOff).map(({ def }) => def.id);
        const reopened = getReopened(journal.state);
        return { why: action.why, ended, questions: [...people.questions.values()], handedOff, reopened };
      }
      await refuseUnready(options, journal.state, action, mine);
      if (action.type === 'wait') await wait(ports, journal, action.ms, signal, readTold);
      else {
        for (const event of await performAndRecord(
          { ports, policy, signal, ahead },
          journal,
          keeper,
          action,
        )) {
          if (isGroundBroken(event)) environmentBroken = true;
          if (event.type === 'provider.failed' && event.untilMs === null && event.response !== 'count') {
            halted.set(event.provider, event.response === 'abort' ? 'auth' : 'provider');
          }
          if (event.type === 'attempt.started') mine.add(event.task);
          const end = getEnd(event);
          if (end && (mine.has(end.task) || end.outcome === 'landed')) ended.push(end);
        }
      }
    }
  } finally {
    await settleAhead(ahead);
    await worker.stop(signal.aborted ? 'interrupted' : 'done');
  }
}

/** Before the first fact of an attempt, and before a session that another run has prepared. */
async function refuseUnready(
  { refuse }: RunOptions,
  { tasks }: State,
  action: Action,
  mine: ReadonlySet<string>,
): Promise<void> {
  const isBegun = action.type === 'session' && !mine.has(action.task);
  const task = action.type === 'lease' || isBegun ? tasks.get(action.task) : undefined;
  if (task && refuse && !canGoWithoutAgent(task)) await refuse(task.def);
}

/** Said once it has gone on: without a word, a night with a hole in it looks like one that stood still. */
async function noteJump(journal: Journal, jumpMs: number): Promise<void> {
  if (jumpMs === 0) return;
  const text = `the machine slept, or its clock was put forward, for ${Math.round(jumpMs / 1_000)} s; the run goes on`;
  await journal.record([{ type: 'note.added', level: 'important', text }]);
  await journal.refresh();
}

/** Whether nothing more should be begun before a person has looked at what everything stands on. */
function isGroundBroken(event: HarnessEvent): boolean {
  if (event.type === 'verdict.given') return isGroundFault(event);
  return event.type === 'preflight.failed' && event.category !== 'DEPENDENCY' && !event.satisfied;
}

function getScope(
  { maxSessions, maxTasks, untilMs, onlyTask, maintains }: RunOptions,
  policy: Policy,
  { tasks }: State,
  ended: readonly EndedAttempt[],
  found: Pick<RunScope, 'environmentBroken' | 'halted'>,
): RunScope {
  const landed = ended.filter(({ outcome }) => outcome === 'landed');
  return {
    ...found,
    maxSessions,
    maxTasks: maxTasks ?? policy.limits.tasksPerRun,
    untilMs: untilMs ?? null,
    onlyTask,
    maintains: maintains ?? (policy.limits.maintains && maxSessions === null),
    endedAttempts: ended.length,
    landedTasks: landed.filter(({ task }) => tasks.get(task)?.def.kind !== 'cleanup').length,
    fruitless: ended.length - landed.length,
  };
}

const NOTHING_TOLD: Told = { stop: false, pause: false };
/** A person who says something to a worker that waits is heard within this time. */
const LISTEN_MS = 1_000;

/** Waits until the time is over or something has happened. */
async function wait(
  { clock }: Ports,
  journal: Journal,
  ms: number,
  signal: AbortSignal,
  readTold: () => Told,
): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= LISTEN_MS) {
    await clock.sleep(Math.min(leftMs, LISTEN_MS), signal);
    const { stop, pause } = readTold();
    if (stop || pause || (await journal.refresh()) > 0) return;
  }
}

async function performAndRecord(
  run: Pick<StepContext, 'ports' | 'policy' | 'signal' | 'ahead'>,
  journal: Journal,
  keeper: LeaseKeeper,
  action: Work,
): Promise<readonly HarnessEvent[]> {
  const resource = 'task' in action ? getTaskResource(action.task) : null;
  const record = async (events: readonly HarnessEvent[], release = false): Promise<void> => {
    const current = resource === null ? undefined : keeper.get(resource);
    if (!current) throw new LeaseLost(String(resource), 'it was given up');
    let result = await journal.record(events, { lease: current, release });
    if (!result.ok && result.why === 'fenced') {
      const again = await keeper.takeAgain(String(resource));
      if (again) result = await journal.record(events, { lease: again, release });
    }
    if (!result.ok) throw new LeaseLost(String(resource), result.why);
  };
  const getState = () => journal.state;
  const ctx: StepContext = {
    ...run,
    record,
    get state() {
      return getState();
    },
  };
  run.ports.reporter.phase('task' in action ? action.task : null, action.type);
  const result = await doAgain(ctx, action, perform);
  if (result.events.length === 0) return [];
  if (resource !== null && !result.acquire) {
    await record(result.events, result.release);
    if (result.release) keeper.forget(resource);
    return result.events;
  }
  const recorded = await journal.record(result.events, result.acquire ? { acquire: result.acquire } : {});
  if (!recorded.ok) {
    // Left by a worker that died before it could say what it took: only time frees it.
    if (recorded.why === 'held') await run.ports.clock.sleep(LISTEN_MS, run.signal);
    return [];
  }
  if (recorded.lease) keeper.hold(recorded.lease);
  return result.events;
}

/** One word of the corridor each. */
async function perform(ctx: StepContext, action: Work): Promise<StepResult> {
  switch (action.type) {
    case 'sync':
      return sync(ctx);
    case 'add':
      return { events: [{ type: 'task.added', def: action.def }] };
    case 'check-all':
      return checkAll(ctx);
    case 'take-over':
      return takeOver(ctx, action);
    case 'ask':
      return { events: [{ type: 'question.asked', ...action.question }] };
    case 'lease':
      return lease(ctx, action.task);
    case 'take-up':
      return takeUp(ctx, action.task);
    case 'prepare':
      return prepare(ctx, action.task);
    case 'preflight':
      return preflight(ctx, action.task);
    case 'session':
      return session(ctx, action);
    case 'interrupt':
      return interrupt(ctx, action.task);
    case 'snapshot':
      return snapshot(ctx, action.task);
    case 'verify':
      return verify(ctx, action.task);
    case 'accept-test':
      return acceptTest(ctx, action.task);
    case 'send-back':
      return sendBack(ctx, action.task);
    case 'land':
      return land(ctx, action.task);
    case 'close':
      return close(ctx, action.task);
  }
}

function createJournal(ports: Ports): Journal {
  const { redact } = ports;
  const clean = redact ? (events: readonly HarnessEvent[]) => redactTexts(events, redact) : undefined;
  const onRecorded: ConstructorParameters<typeof Journal>[1] = async (events, state) => {
    for (const event of events) ports.reporter.event(event);
    await ports.artifacts.project({ state, events });
  };
  return new Journal(ports.store, onRecorded, clean);
}

function getEnd(event: HarnessEvent): EndedAttempt | null {
  if (event.type === 'task.landed') return { task: event.task, outcome: 'landed', reason: event.commit };
  if (event.type === 'attempt.ended' && !event.unavailable && event.category !== 'DEPENDENCY')
    return { task: event.task, outcome: event.outcome, reason: event.reason };
  return null;
}
