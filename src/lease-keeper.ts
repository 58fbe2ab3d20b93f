import type { Clock, Lease, Store } from './ports.ts';

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

  constructor(store: Store, clock: Clock, ttlMs: number, heartbeatMs: number) {
    this.#store = store;
    this.#clock = clock;
    this.#ttlMs = ttlMs;
    this.#heartbeatMs = heartbeatMs;
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

  async stop(): Promise<void> {
    this.#over.abort(new Error('over'));
    await this.#beating;
  }

  async #beat(): Promise<void> {
    const over = this.#over.signal;
    while (!over.aborted && !this.#lost.signal.aborted) {
      await this.#clock.sleep(this.#heartbeatMs, over).catch(() => undefined);
      if (over.aborted) return;
      for (const resource of [...this.#held.keys()]) await this.#renew(resource);
    }
  }

  async #renew(resource: string): Promise<void> {
    const held = this.#held.get(resource);
    if (!held) return;
    const startedMs = this.#clock.monotonicMs();
    try {
      const renewed = await this.#store.renew(held.lease, this.#ttlMs);
      if (this.#held.get(resource) !== held) return;
      if (renewed) this.#held.set(resource, { lease: renewed, renewedMs: startedMs });
      else this.#lose(resource, 'it is held by somebody else');
    } catch (error) {
      if (this.#clock.monotonicMs() - held.renewedMs > this.#ttlMs * TRUST)
        this.#lose(resource, String(error));
    }
  }

  #lose(resource: string, why: string): void {
    this.#lost.abort(new LeaseLost(resource, why));
  }
}

/** Thrown wherever a worker notices that its work is not its own any more. */
export class LeaseLost extends Error {
  constructor(resource: string, why: string) {
    super(`the lease on ${resource} is lost: ${why}`);
    this.name = 'LeaseLost';
  }
}
