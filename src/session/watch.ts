import { getFailureResponse } from '../core/decide/failure-policy.ts';
import type { EventOf } from '../core/events/event.ts';
import type { AgentEvent } from '../core/model/agent-event.ts';
import type { MonitorRules } from '../core/model/policy.ts';
import { addUsage, NO_USAGE, type Usage } from '../core/model/usage.ts';
import {
  createMonitor,
  getNextLookMs,
  type MonitorCommand,
  type MonitorState,
  monitor,
  type StopCause,
} from '../core/monitor/monitor.ts';
import type {
  AgentCapabilities,
  AgentFailure,
  AgentResult,
  Clock,
  Delivery,
  Injections,
  TranscriptEntry,
} from '../ports/index.ts';
import type { SessionContext } from './context.ts';

/** How long an agent that was asked to end its turn may take before it is ended. */
const GRACE_MS = 20_000;

export interface WatchOptions {
  readonly clock: Clock;
  readonly rules: MonitorRules;
  readonly capabilities: AgentCapabilities | undefined;
  /** What may still be spent in this session. */
  readonly budgetUsd: number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
  /** Writes down everything that is said and done, warnings included. */
  readonly onEntry: (entry: TranscriptEntry) => void;
  /** Called with what has been used since the last time, as soon as it is worth writing down. */
  readonly onSpent: (usage: Usage) => void;
}

/** Why a session was ended by the harness. */
export type EndedBy = StopCause | 'budget';

/** Spending is recorded when this much has come together, and not more often than this. */
const WORTH_RECORDING_USD = 0.05;
const WORTH_RECORDING_TOKENS = 20_000;
const RECORD_EVERY_MS = 1_000;

type Listener = Parameters<Injections['subscribe']>[0];

/** Words for an agent; those said before it listens are kept for it. What became of each is told once. */
class Messages implements Injections {
  #listener: Listener | null = null;
  readonly #waiting = new Set<{ readonly text: string }>();
  readonly #onDelivered: (text: string, delivery: Delivery) => void;

  constructor(onDelivered: (text: string, delivery: Delivery) => void) {
    this.#onDelivered = onDelivered;
  }

  /** Whether anybody listens. */
  send(text: string): boolean {
    const words = { text };
    this.#waiting.add(words);
    if (this.#listener) this.#hand(words, this.#listener);
    return this.#listener !== null;
  }

  subscribe(listener: Listener): () => void {
    this.#listener = listener;
    for (const words of this.#waiting) this.#hand(words, listener);
    return () => {
      this.#listener = null;
    };
  }

  /** Nobody will hear what has not been heard by now. */
  close(): void {
    for (const words of this.#waiting) this.#settle(words, 'unheard');
  }

  #hand(words: { readonly text: string }, listener: Listener): void {
    const delivery = listener(words.text);
    if (typeof delivery === 'string') this.#settle(words, delivery);
    else
      delivery.then(
        known => this.#settle(words, known),
        () => this.#settle(words, 'unheard'),
      );
  }

  #settle(words: { readonly text: string }, delivery: Delivery): void {
    if (this.#waiting.delete(words)) this.#onDelivered(words.text, delivery);
  }
}

/** Stands beside an agent while it works: listens, warns, counts the money, and stops it when it has to. */
export class Watch {
  readonly signal: AbortSignal;
  readonly interrupt: AbortSignal;
  readonly injections: Messages;
  readonly #options: WatchOptions;
  readonly #stop = new AbortController();
  readonly #interrupt = new AbortController();
  readonly #over = new AbortController();
  #state: MonitorState;
  #usage: Usage = NO_USAGE;
  #unrecorded: Usage = NO_USAGE;
  #recordedMs = Number.NEGATIVE_INFINITY;
  #hasListener = false;
  #ended: { readonly by: EndedBy; readonly why: string } | null = null;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.injections = new Messages((text, delivery) =>
      options.onEntry({ atMs: options.clock.nowMs(), event: { type: 'steer', text, delivery } }),
    );
    this.signal = AbortSignal.any([options.signal, this.#stop.signal]);
    this.interrupt = this.#interrupt.signal;
    this.#state = createMonitor(options.clock.monotonicMs());
    this.#lookNowAndThen().catch(() => undefined);
  }

  readonly onEvent = (event: AgentEvent): void => {
    if (this.#over.signal.aborted) return;
    this.#options.onEntry({ atMs: this.#options.clock.nowMs(), event });
    this.#options.onEvent(event);
    this.#look(event);
    if (event.type === 'usage') this.#count(event.usage);
  };

  /** Ends the watch; what was used and decided meanwhile. */
  close(): { readonly usage: Usage; readonly endedBy: EndedBy | null; readonly why: string } {
    this.#over.abort(new Error('the session is over'));
    this.injections.close();
    return { usage: this.#usage, endedBy: this.#ended?.by ?? null, why: this.#ended?.why ?? '' };
  }

  async #lookNowAndThen(): Promise<void> {
    const { clock, rules } = this.#options;
    while (!this.#over.signal.aborted && !this.#ended) {
      const ms = getNextLookMs(this.#state.time, clock.monotonicMs(), rules);
      if (ms === null) return;
      await clock.sleep(ms, this.#over.signal);
      this.#look(null);
    }
  }

  #look(event: AgentEvent | null): void {
    const { clock, rules } = this.#options;
    const seen = monitor(this.#state, { atMs: clock.monotonicMs(), event }, rules);
    this.#state = seen.state;
    for (const command of seen.commands) this.#obey(command);
  }

  #obey(command: MonitorCommand): void {
    if (command.type === 'stop') {
      this.#end(command.cause, command.why, command.cause !== 'context');
      return;
    }
    this.#hasListener = this.injections.send(command.text);
  }

  #count(more: Usage): void {
    const { clock, budgetUsd, onSpent } = this.#options;
    this.#usage = addUsage(this.#usage, more);
    this.#unrecorded = addUsage(this.#unrecorded, more);
    const sinceMs = clock.monotonicMs() - this.#recordedMs;
    if (isWorthRecording(this.#unrecorded) && sinceMs >= RECORD_EVERY_MS) {
      onSpent(this.#unrecorded);
      this.#unrecorded = NO_USAGE;
      this.#recordedMs = clock.monotonicMs();
    }
    const { costUsd } = this.#usage;
    if (costUsd > budgetUsd)
      this.#end('budget', `$${costUsd.toFixed(2)} spent of $${budgetUsd.toFixed(2)}`, false);
  }

  #end(by: EndedBy, why: string, isGentle: boolean): void {
    if (this.#ended) return;
    this.#ended = { by, why };
    const { clock, capabilities } = this.#options;
    const stop = () => this.#stop.abort(new Error(why));
    const later = (what: () => void) =>
      void clock.sleep(GRACE_MS, this.#over.signal).then(what, () => undefined);
    const askToEnd = () => {
      this.#interrupt.abort(new Error(why));
      later(stop);
    };
    const makeEnd = isGentle && capabilities?.interrupt === 'native' ? askToEnd : stop;
    // Who was just asked to say what blocks it gets the time to say so.
    if (by === 'stuck' && this.#hasListener) later(makeEnd);
    else makeEnd();
  }
}

/** Tokens count too: what they cost is not always known. */
function isWorthRecording({ costUsd, inputTokens, outputTokens }: Usage): boolean {
  return costUsd >= WORTH_RECORDING_USD || inputTokens + outputTokens >= WORTH_RECORDING_TOKENS;
}

/** A provider's failure and what follows from it; none when the harness itself ended the session. */
export async function getFailure(
  ctx: SessionContext,
  provider: string,
  result: AgentResult,
  endedBy: EndedBy | null,
): Promise<EventOf<'provider.failed'> | null> {
  const { failure } = result;
  if (!failure || result.outcome === 'claimed' || endedBy || ctx.signal.aborted) return null;
  const known = ctx.state.trouble.providers.get(provider);
  const count = known?.kind === failure.kind ? known.count + 1 : 1;
  return { type: 'provider.failed', provider, ...(await getAnswer(ctx, failure, count)) };
}

async function getAnswer(ctx: SessionContext, failure: AgentFailure, count: number) {
  const { kind, message, retryAtMs } = failure;
  const answer = getFailureResponse(
    kind,
    count,
    { nowMs: await ctx.ports.store.nowMs(), retryAtMs },
    ctx.policy.rateLimits,
  );
  const untilMs = answer.type === 'wait' ? answer.untilMs : null;
  return { kind, message: message.slice(0, 1_000), count, response: answer.type, untilMs };
}
