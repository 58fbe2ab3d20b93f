import { HarnessError } from '../core/base/failure.ts';
import type { Clock, Lease, Store } from '../ports/index.ts';

/** The share of a lease's life after which its holder stops trusting it. */
const TRUST = 0.8;

/**
 * Keeps this worker's leases alive beside its work. When one is lost, or could not be renewed in
 * time by the monotonic clock, the signal aborts and everything the worker does stops.
 */
export class LeaseKeeper {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #heartbeatMs: number;
  readonly #lost = new AbortController();
  readonly #over = new AbortController();
  readonly #held = new Map<string, { lease: Lease; renewedMs: number }>();
  #beating: Promise<void> | null = null;
  #seen: { readonly wallMs: number; readonly awakeMs: number };
  #jumpMs = 0;

  constructor(store: Store, clock: Clock, ttlMs: number, heartbeatMs: number) {
    this.#store = store;
    this.#clock = clock;
    this.#ttlMs = ttlMs;
    this.#heartbeatMs = heartbeatMs;
    this.#seen = { wallMs: clock.nowMs(), awakeMs: clock.monotonicMs() };
  }

  /** Aborts when a lease is no longer ours. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  hold(lease: Lease): void {
    this.#held.set(lease.resource, { lease, renewedMs: this.#clock.monotonicMs() });
    this.#beating ??= this.#beat();
  }

  get(resource: string): Lease | undefined {
    return this.#held.get(resource)?.lease;
  }

  forget(resource: string): void {
    this.#held.delete(resource);
  }

  all(): readonly Lease[] {
    return [...this.#held.values()].map(held => held.lease);
  }

  /** After its time, as long as nobody else has had it: the machine may have slept. */
  async takeAgain(resource: string): Promise<Lease | null> {
    const held = this.#held.get(resource);
    if (!held) return null;
    const startedMs = this.#clock.monotonicMs();
    const lease = await this.#store.renew(held.lease, this.#ttlMs);
    if (lease) this.#held.set(resource, { lease, renewedMs: startedMs });
    return lease;
  }

  /** By how much the time of day ran ahead of what this process saw pass, since the last time it was asked. */
  takeJumpMs(): number {
    const jumpMs = this.#jumpMs;
    this.#jumpMs = 0;
    return jumpMs;
  }

  async stop(): Promise<void> {
    this.#over.abort(new Error('over'));
    await this.#beating;
  }

  async #beat(): Promise<void> {
    const over = this.#over.signal;
    while (!over.aborted && !this.#lost.signal.aborted) {
      await this.#clock.sleep(this.#getPauseMs(), over).catch(() => undefined);
      if (over.aborted) return;
      this.#noteJump();
      for (const resource of [...this.#held.keys()]) await this.#renew(resource);
    }
  }

  #noteJump(): void {
    const now = { wallMs: this.#clock.nowMs(), awakeMs: this.#clock.monotonicMs() };
    const jumpMs = now.wallMs - this.#seen.wallMs - (now.awakeMs - this.#seen.awakeMs);
    if (jumpMs >= this.#ttlMs * (1 - TRUST)) this.#jumpMs += jumpMs;
    this.#seen = now;
  }

  /** A heartbeat, or less when a lease that could not be renewed comes to the end of its trust before. */
  #getPauseMs(): number {
    const nowMs = this.#clock.monotonicMs();
    const left = [...this.#held.values()].map(held => this.#getTrustEndMs(held.renewedMs) - nowMs);
    return Math.max(0, Math.min(this.#heartbeatMs, ...left));
  }

  #getTrustEndMs(renewedMs: number): number {
    return renewedMs + this.#ttlMs * TRUST;
  }

  async #renew(resource: string): Promise<void> {
    const held = this.#held.get(resource);
    if (!held) return;
    const startedMs = this.#clock.monotonicMs();
    try {
      const renewed = await this.#askInTime(held.lease, this.#getTrustEndMs(held.renewedMs) - startedMs);
      if (this.#held.get(resource) !== held) return;
      if (renewed) this.#held.set(resource, { lease: renewed, renewedMs: startedMs });
      else this.#lose(resource, 'it is held by somebody else');
    } catch (error) {
      const isOver = this.#clock.monotonicMs() >= this.#getTrustEndMs(held.renewedMs);
      if (isOver && this.#held.get(resource) === held) this.#lose(resource, String(error));
    }
  }

  /** A store that does not answer is as good as none. Whoever comes late still gets a heartbeat's time to ask. */
  async #askInTime(lease: Lease, leftMs: number): Promise<Lease | null> {
    const answered = new AbortController();
    const enough = AbortSignal.any([answered.signal, this.#over.signal]);
    const timeout = this.#clock.sleep(Math.max(leftMs, this.#heartbeatMs), enough).then(() => {
      throw new Error('the store did not answer in time');
    });
    timeout.catch(() => undefined);
    try {
      return await Promise.race([this.#store.renew(lease, this.#ttlMs), timeout]);
    } finally {
      answered.abort(new Error('answered'));
    }
  }

  #lose(resource: string, why: string): void {
    this.#lost.abort(new LeaseLost(resource, why));
  }
}

/** Thrown wherever a worker notices that its work is not its own any more. */
export class LeaseLost extends HarnessError {
  constructor(resource: string, why: string) {
    super('fenced', `the lease on ${resource} is lost: ${why}`, {
      fix: 'run harness again: what was recorded is safe, and the worker that has the task now continues',
    });
    this.name = 'LeaseLost';
  }
}
