import type { AgentEvent } from '../core/model/agent-event.ts';
import type { MonitorRules } from '../core/model/policy.ts';
import type { Usage } from '../core/model/usage.ts';
import { addUsage, NO_USAGE } from '../core/model/usage.ts';
import {
  createMonitor,
  getNextLookMs,
  type MonitorCommand,
  monitor,
  type StopCause,
} from '../core/monitor/monitor.ts';
import type { AgentCapabilities, Clock, Heard, Injections } from '../ports/index.ts';
import { createInjections } from './injections.ts';

/** How long an agent that was asked to end its turn may take before it is ended. */
const GRACE_MS = 20_000;

export interface WatchOptions {
  readonly clock: Clock;
  readonly rules: MonitorRules;
  readonly capabilities: AgentCapabilities | undefined;
  /** What may still be spent in this session. */
  readonly budgetUsd: number;
  readonly signal: AbortSignal;
  readonly tell: (event: AgentEvent) => void;
  /** Writes down everything that is said and done, warnings included. */
  readonly hear: (heard: Heard) => void;
  /** Called with what has been used since the last time, as soon as it is worth writing down. */
  readonly onSpent: (usage: Usage) => void;
}

/** Why a session was ended by the harness. */
export type EndedBy = StopCause | 'budget';

/** Stands beside an agent while it works: listens, warns, counts the money, and stops it when it has to. */
export interface Watch {
  readonly signal: AbortSignal;
  readonly interrupt: AbortSignal;
  readonly injections: Injections;
  onEvent(event: AgentEvent): void;
  /** Ends the watch; what was used and decided meanwhile. */
  close(): {
    readonly usage: Usage;
    readonly endedBy: EndedBy | null;
    readonly why: string;
  };
}

/** Spending is recorded when this much has come together, and not more often than this. */
const WORTH_RECORDING_USD = 0.05;
const WORTH_RECORDING_TOKENS = 20_000;
const RECORD_EVERY_MS = 1_000;

export function watchSession(options: WatchOptions): Watch {
  const { clock, rules, capabilities } = options;
  const stop = new AbortController();
  const interrupt = new AbortController();
  const over = new AbortController();
  const injections = createInjections();
  let state = createMonitor(clock.monotonicMs());
  let usage: Usage = NO_USAGE;
  let unrecorded: Usage = NO_USAGE;
  let recordedMs = Number.NEGATIVE_INFINITY;
  let ended: { by: EndedBy; why: string } | null = null;

  const end = (by: EndedBy, why: string, isGentle: boolean): void => {
    if (ended) return;
    ended = { by, why };
    if (!isGentle || capabilities?.interrupt !== 'native') {
      stop.abort(new Error(why));
      return;
    }
    interrupt.abort(new Error(why));
    clock.sleep(GRACE_MS, over.signal).then(
      () => stop.abort(new Error(why)),
      () => undefined,
    );
  };
  const obey = (command: MonitorCommand): void => {
    if (command.type === 'stop') {
      end(command.cause, command.why, command.cause !== 'context');
      return;
    }
    options.hear({ atMs: clock.nowMs(), event: { type: 'steer', text: command.text } });
    injections.send(command.text);
  };
  const look = (event: AgentEvent | null): void => {
    const seen = monitor(state, { atMs: clock.monotonicMs(), event }, rules);
    state = seen.state;
    for (const command of seen.commands) obey(command);
  };
  const count = (more: Usage): void => {
    usage = addUsage(usage, more);
    unrecorded = addUsage(unrecorded, more);
    const sinceMs = clock.monotonicMs() - recordedMs;
    if (isWorthRecording(unrecorded) && sinceMs >= RECORD_EVERY_MS) {
      options.onSpent(unrecorded);
      unrecorded = NO_USAGE;
      recordedMs = clock.monotonicMs();
    }
    if (usage.costUsd > options.budgetUsd)
      end('budget', `$${usage.costUsd.toFixed(2)} spent of $${options.budgetUsd.toFixed(2)}`, false);
  };
  const tick = async (): Promise<void> => {
    while (!over.signal.aborted && !ended) {
      const ms = getNextLookMs(state.time, clock.monotonicMs(), rules);
      if (ms === null) return;
      await clock.sleep(ms, over.signal);
      look(null);
    }
  };
  tick().catch(() => undefined);

  return {
    signal: AbortSignal.any([options.signal, stop.signal]),
    interrupt: interrupt.signal,
    injections,
    onEvent(event) {
      if (over.signal.aborted) return;
      options.hear({ atMs: clock.nowMs(), event });
      options.tell(event);
      look(event);
      if (event.type === 'usage') count(event.usage);
    },
    close() {
      over.abort(new Error('the session is over'));
      return { usage, endedBy: ended?.by ?? null, why: ended?.why ?? '' };
    },
  };
}

/** Tokens count too: what they cost is not always known. */
function isWorthRecording({ costUsd, inputTokens, outputTokens }: Usage): boolean {
  return costUsd >= WORTH_RECORDING_USD || inputTokens + outputTokens >= WORTH_RECORDING_TOKENS;
}
