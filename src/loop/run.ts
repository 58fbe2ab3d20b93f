import { redactTexts } from '../core/base/redact.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import type { Policy } from '../core/model/policy.ts';
import type { Ports } from '../ports/index.ts';
import { Worktrees } from '../testruns/worktrees.ts';
import { Journal } from './journal.ts';
import { LeaseKeeper } from './lease-keeper.ts';

/** What a run holds as long as it lives. */
export interface Run {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly journal: Journal;
  readonly keeper: LeaseKeeper;
  /** Aborts when it is called off, or when a lease is no longer ours. */
  readonly signal: AbortSignal;
  readonly worktrees: Worktrees;
}

export function openRun(ports: Ports, policy: Policy, signal: AbortSignal): Run {
  const { store, clock } = ports;
  const keeper = new LeaseKeeper(store, clock, policy.leaseMs, policy.heartbeatMs);
  return {
    ...{ ports, policy, keeper, journal: createJournal(ports), worktrees: new Worktrees({ ports, policy }) },
    signal: AbortSignal.any([signal, keeper.signal]),
  };
}

function createJournal({ store, artifacts, reporter, redact }: Ports): Journal {
  const clean = redact ? (events: readonly HarnessEvent[]) => redactTexts(events, redact) : undefined;
  const onRecorded: ConstructorParameters<typeof Journal>[1] = async (events, state) => {
    for (const event of events) reporter.event(event);
    await artifacts.project({ state, events });
  };
  return new Journal(store, onRecorded, clean);
}
