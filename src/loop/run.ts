import { redactTexts } from '../core/base/redact.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import type { Policy } from '../core/model/policy.ts';
import type { TaskDef } from '../core/model/task.ts';
import type { Ports, Sensors } from '../ports/index.ts';
import { Worktrees } from '../testruns/worktrees.ts';
import { Journal } from './journal.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { MachineWatch } from './machine-watch.ts';
import type { Signals } from './observe.ts';
import { type RunLimits, RunProgress } from './run-progress.ts';
import { Turns } from './turns.ts';

export interface RunOptions extends RunLimits {
  readonly signal: AbortSignal;
  readonly version: string;
  /** The state is saved each time that so many events have come; the usual number when not given. */
  readonly saveEvery?: number;
  /** Several workers in this process; one without it. */
  readonly lanes?: Lanes | undefined;
  /** Asked between steps: whether a file says to stop or to wait. */
  readonly readSignals?: () => Signals;
  /** Asked before an agent is set on a task: throws what would keep it from starting, or from being judged. */
  readonly refuse?: (task: TaskDef) => Promise<void>;
}

export interface Lanes {
  readonly count: number;
  /** So many of them run tests at a time. */
  readonly verifiers: number;
  /** What the machine has to give is looked at while they work. */
  readonly sensors?: Sensors;
  /** The world as one lane sees it: a worker of its own, the same records. */
  open(lane: number): Promise<Ports>;
}

/** What a worker holds as long as it lives; lanes of one process share all but ports, leases and signal. */
export interface Run {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly options: RunOptions;
  readonly journal: Journal;
  readonly progress: RunProgress;
  readonly keeper: LeaseKeeper;
  /** Aborts when it is called off, or when a lease is no longer ours. */
  readonly signal: AbortSignal;
  readonly worktrees: Worktrees;
  /** One lane decides at a time, and records what follows from it without an agent. */
  readonly deciding: Turns;
  readonly verifying: Turns;
  /** Absent where one worker is all that is asked for. */
  readonly machine: MachineWatch | null;
}

export function openRun(ports: Ports, policy: Policy, options: RunOptions): Run {
  const keeper = createKeeper(ports, policy);
  return {
    ...{ ports, policy, options, keeper },
    journal: createJournal(ports, getSaveEvery(options)),
    progress: new RunProgress(policy, options),
    worktrees: new Worktrees({ ports, policy }),
    deciding: new Turns(),
    verifying: new Turns(options.lanes?.verifiers),
    machine: options.lanes?.sensors ? new MachineWatch(options.lanes.sensors, ports.clock) : null,
    signal: AbortSignal.any([options.signal, keeper.signal]),
  };
}

/** One of several workers in this process: what it loses, the others keep. */
export function openLane(run: Run, ports: Ports): Run {
  const keeper = createKeeper(ports, run.policy);
  return { ...run, ports, keeper, signal: AbortSignal.any([run.signal, keeper.signal]) };
}

function createKeeper({ store, clock }: Ports, { leaseMs, heartbeatMs }: Policy): LeaseKeeper {
  return new LeaseKeeper(store, clock, leaseMs, heartbeatMs);
}

/** As many events as are folded in about the time that it takes to save a state. */
const SAVE_EVERY = 500;

export function getSaveEvery({ saveEvery = SAVE_EVERY }: Pick<RunOptions, 'saveEvery'>): number {
  return saveEvery;
}

function createJournal({ store, artifacts, reporter, redact }: Ports, saveEvery: number): Journal {
  const clean = redact ? (events: readonly HarnessEvent[]) => redactTexts(events, redact) : undefined;
  const onRecorded: ConstructorParameters<typeof Journal>[1] = async (events, state) => {
    for (const event of events) reporter.event(event, state);
    await artifacts.project({ state, events });
    // Whoever records next waits for it, and nobody else.
    void journal.save(saveEvery);
  };
  const journal = new Journal(store, onRecorded, clean);
  return journal;
}
